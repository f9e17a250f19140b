module moduli

go 1.24
