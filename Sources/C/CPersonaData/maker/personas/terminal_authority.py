"""The CA key of the card, which fits the private exponent of every host."""

import math
import secrets

# The private exponent with which every host signs its terminal certificate, a public constant of
# the CIE middleware (italia/cie-middleware-linux, CSP/ExtAuthKey.cpp). The card must publish a
# modulus and an exponent that fit it.
HOST_EXPONENT = int(
    "186B31488C25DCF85D953D3630C0D073BA1C6AA24581AD254F3B6719C5D72CCA3E5CDC5A1E5316578D75954FF73B237B"
    "532C9F8DE4A2C4C911385A23E63E33E47EE45E66EFD49B18E02CFF87598C39109E8F86A66BC330249CE3FCAD655DCDBF"
    "98C9C5E479321AF53B517D041061880A647BBE0FF813683470E6C50094CE81D064E204E351BD3AE0A7947D8E91C3FD5C"
    "0A15233C349A5215A4E66E21C5D33498E71991EA24473B29F1475F6FD9BE3996E19BD474FAD1B41EA0DCD2FC16C9BFFA"
    "071BFEC1B22415184811C1985FBFE3E7B4F44A4B3C8DFAB4D90CECFC5E608D673E6762C62CB798341271149BA688162E"
    "C7D0E3468F65A94AB4AD1AB67E37BFC1", 16)


def is_prime(number):
    if any(number % small == 0 for small in (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)):
        return False
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(24):
        x = pow(secrets.randbelow(number - 3) + 2, odd, number)
        if x in (1, number - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % number
            if x == number - 1:
                break
        else:
            return False
    return True


def terminal_authority(persona):
    if persona["short"]:
        e, k = persona["short"]
        n = (e * HOST_EXPONENT - 1) // k + 1
        assert (e * HOST_EXPONENT - 1) % k == 0 and is_prime(n)
    else:
        primes = []
        while len(primes) < 2:
            candidate = secrets.randbits(1024) | 3 << 1022 | 1
            if math.gcd(HOST_EXPONENT, candidate - 1) == 1 and is_prime(candidate):
                primes.append(candidate)
        n = primes[0] * primes[1]
        e = pow(HOST_EXPONENT, -1, math.lcm(primes[0] - 1, primes[1] - 1))
    assert n.bit_length() == 2048
    block = int.from_bytes(b"\x6A" + b"\x55" * 254 + b"\xBC", "big")
    assert pow(pow(block, HOST_EXPONENT, n), e, n) == block
    return n, e
