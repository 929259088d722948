// Places of the members and values of the constants of libxml2 that the program uses: equal in all of its files that
// Sources/CLibraries/libraries.inc names. Printed for comparison by test-installed.
#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <stddef.h>
#include <stdio.h>

#define MEMBER(type, member) \
  printf("%s.%s %zu %zu\n", #type, #member, offsetof(type, member), sizeof(((type *)0)->member));
#define CONSTANT(name) printf("%s %ld\n", #name, (long)name);

int main(void) {
  MEMBER(xmlParserCtxt, sax)
  MEMBER(xmlParserCtxt, _private)
  MEMBER(xmlParserCtxt, nameNr)
  MEMBER(xmlParserCtxt, options)
  MEMBER(xmlParserCtxt, input)
  MEMBER(xmlParserCtxt, errNo)
  MEMBER(xmlParserCtxt, wellFormed)
  MEMBER(xmlParserCtxt, nsWellFormed)
  MEMBER(xmlSAXHandler, startElement)
  MEMBER(xmlSAXHandler, initialized)
  MEMBER(xmlSAXHandler, serror)
  MEMBER(xmlParserInput, cur)
  MEMBER(xmlParserInput, end)
  MEMBER(xmlNode, type)
  MEMBER(xmlNode, name)
  MEMBER(xmlNode, children)
  MEMBER(xmlNode, next)
  MEMBER(xmlNode, properties)
  MEMBER(xmlNode, content)
  MEMBER(xmlNode, ns)
  MEMBER(xmlAttr, name)
  MEMBER(xmlAttr, children)
  MEMBER(xmlAttr, next)
  MEMBER(xmlAttr, ns)
  MEMBER(xmlNs, href)
  MEMBER(xmlDoc, intSubset)
  MEMBER(xmlDoc, extSubset)
  MEMBER(xmlError, code)
  CONSTANT(XML_PARSE_HUGE)
  CONSTANT(XML_PARSE_NOCDATA)
  CONSTANT(XML_PARSE_NOERROR)
  CONSTANT(XML_PARSE_NONET)
  CONSTANT(XML_PARSE_NOWARNING)
  CONSTANT(HTML_PARSE_NODEFDTD)
  CONSTANT(HTML_PARSE_NOERROR)
  CONSTANT(HTML_PARSE_NONET)
  CONSTANT(HTML_PARSE_NOWARNING)
  CONSTANT(HTML_PARSE_RECOVER)
  CONSTANT(XML_CDATA_SECTION_NODE)
  CONSTANT(XML_ELEMENT_NODE)
  CONSTANT(XML_TEXT_NODE)
  CONSTANT(XML_ERR_NO_MEMORY)
  CONSTANT(XML_ERR_USER_STOP)
  CONSTANT(XML_SAX2_MAGIC)
}
