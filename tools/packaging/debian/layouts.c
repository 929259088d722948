// Places of the members and values of the constants of libxml2 that the program uses: equal in all of its files that
// Sources/C/CLibraries/libraries.inc names. Printed for comparison by test-installed.
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stddef.h>
#include <stdio.h>

#define MEMBER(type, member) \
  printf("%s.%s %zu %zu\n", #type, #member, offsetof(type, member), sizeof(((type *)0)->member));
#define CONSTANT(name) printf("%s %ld\n", #name, (long)name);

int main(void) {
  MEMBER(xmlParserCtxt, wellFormed)
  MEMBER(xmlParserCtxt, nsWellFormed)
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
  CONSTANT(XML_PARSE_NOCDATA)
  CONSTANT(XML_PARSE_NOERROR)
  CONSTANT(XML_PARSE_NONET)
  CONSTANT(XML_PARSE_NOWARNING)
  CONSTANT(XML_CDATA_SECTION_NODE)
  CONSTANT(XML_ELEMENT_NODE)
  CONSTANT(XML_TEXT_NODE)
}
