"""The contents of each persona's travel document and their protection.

No birthday below exists (30 February, 31 April …), as no fiscal code of the personas can; the places do not either.
The card access numbers are digits of square roots.
"""

CIE_ACCESS = [("1.1", 2)]

DOCUMENTS = {
    "gemalto": dict(
        can="223606", sex="F", birth="19800230", expiry="20340301", issued="20240311",
        place="BORGO INVENTATO<ZZ", address="VIA DELLE PROVE 1<BORGO INVENTATO<ZZ",
        authority="COMUNE DI BORGO INVENTATO", eyes=5, hair=4, size=20000, patron=True,
        access=CIE_ACCESS, authenticates_terminals=True,
        chip=[dict(variant="1.1", parameters=2, encoding="pkcs3")],
        csca=("pss", "sha512", 4096), signer=("pkcs1", "sha256", 2048)),
    "gemalto2": dict(
        can="244948", sex="M", birth="19850231", expiry="20350303", issued="20250117",
        place="FINTAVALLE<ZZ", address="PIAZZA DEL MODELLO 6<FINTAVALLE<ZZ",
        authority="COMUNE DI FINTAVALLE", eyes=3, hair=2, size=8000,
        points=[(0x31, 176, 176), (0x32, 124, 176)],
        access=CIE_ACCESS, repeats_access=True,
        chip=[dict(variant="1.1", parameters=2, encoding="x942", identifier=1)],
        active=("rsa", 2048), csca=("pkcs1", "sha256", 4096), signer=("pss", "sha256", 3072)),
    "nxp": dict(
        can="316227", sex="M", birth="19810431", expiry="20340501", issued="20240402", bcd=True,
        place="ISOLA CHE NON C'E'<ZZ", address="VICOLO CIECO 2<ISOLA CHE NON C'E'<ZZ",
        authority="COMUNE DI ISOLA CHE NON C'E'", eyes=2, hair=1, size=7000,
        access=CIE_ACCESS, csca=("rsa", "sha256", 4096), signer=("rsa", "sha384", 2048)),
    "st": dict(
        can="331662", sex="F", birth="19820631", expiry="20340701", issued="20240603",
        place="CITTÀ DELL'ESEMPIO<ZZ", address="LARGO DELLA VIRTÙ 3<CITTÀ DELL'ESEMPIO<ZZ",
        authority="COMUNE DI CITTÀ DELL'ESEMPIO", eyes=2, hair=3, size=8000,
        access=CIE_ACCESS, chip=[dict(variant="2.1", parameters=12, encoding="named")],
        active=("ecdsa", 12), time=True,
        csca=("ecdsa", "sha384", "secp384r1"), signer=("ecdsa", "sha256", "prime256v1")),
    "itj4": dict(
        can="360555", sex="M", birth="19830931", expiry="20341001", issued="20240905",
        place="CAMPOSPECIMEN<ZZ", address="VIALE DEI CAMPIONI 4<CAMPOSPECIMEN<ZZ",
        authority="MINISTERO DELLE PROVE", eyes=3, hair=2, size=9000, version1=True,
        access=[("2.4", 13), ("1.1", 2)], repeats_access=True,
        chip=[dict(variant="1.1", parameters=2, encoding="x942", identifier=1),
              dict(variant="2.4", parameters=13, encoding="named", identifier=2)],
        csca=("pss", "sha512", 4096), signer=("pss", "sha512", 2048)),
    # Valid for fifty years: issued after 2026-07-30 to a person of more than seventy (decree-law of February 2026).
    # Its signer signs EF 1006 too, as in the published test issuance of 2020.
    "senior": dict(
        can="700700", sex="F", birth="19500230", expiry="20760807", issued="20260803",
        place="BORGO ANTICO<ZZ", address="VIA DEL TEMPO 7<BORGO ANTICO<ZZ",
        authority="COMUNE DI BORGO ANTICO", eyes=4, hair=5, size=7000, version1=True,
        fingerprints=True, access=CIE_ACCESS,
        chip=[dict(variant="1.1", parameters=2, encoding="pkcs3")],
        csca=("pss", "sha512", 4096), signer=("pss", "sha512", 2048)),
    # One of the cards of 2017 and 2018 on the Ministry's deviation list: the date in DG12 is not the signed one.
    "recalled": dict(
        can="201718", sex="M", birth="19700230", expiry="20280301", issued="20151205",
        printed_issue="20171115", since=2017,
        place="FONDOVALLE<ZZ", address="VIA DELL'ERRORE 8<FONDOVALLE<ZZ",
        authority="COMUNE DI FONDOVALLE", eyes=3, hair=1, size=7000, access=CIE_ACCESS,
        chip=[dict(variant="1.1", parameters=2, encoding="pkcs3")],
        csca=("rsa", "sha256", 4096), signer=("rsa", "sha256", 2048)),
    # Of 2018, with SHA-1 throughout: the hashes, the signature, the certificates.
    "early": dict(
        can="201806", sex="F", birth="19900631", expiry="20280701", issued="20180612", since=2018,
        place="PRIMAVALLE<ZZ", address="VIA DELL'INIZIO 9<PRIMAVALLE<ZZ",
        authority="COMUNE DI PRIMAVALLE", eyes=3, hair=2, size=7000, hash="sha1",
        access=CIE_ACCESS, chip=[dict(variant="1.1", parameters=2, encoding="pkcs3")],
        csca=("pkcs1", "sha1", 4096), signer=("pkcs1", "sha1", 2048)),
    "unknown": dict(
        can="037416", sex="M", birth="19841131", expiry="20341201", issued="20241104",
        place="ALTROVE<ZZ", address="STRADA SENZA NOME 5<ALTROVE<ZZ",
        authority="CONSOLATO DI ALTROVE", eyes=5, hair=7, size=12000, serial="TEST-0005",
        jpeg=True, long=30000, access=[("6.2", 12), ("2.2", 12)], repeats_access=True,
        chip=[dict(variant="2.2", parameters=12, encoding="explicit", identifier=1)],
        card_security="standardized", only_pace=True, by_key=True,
        csca=("ecdsa", "sha384", "brainpoolP384r1"), explicit=True,
        signer=("ecdsa", "sha256", "brainpoolP256r1")),
}
