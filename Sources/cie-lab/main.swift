print("cie-read")
