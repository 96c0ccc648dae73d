/** `***.456.789-**` for a CPF; for a CNPJ, only digits in the middle of the root stay. */
export const masked = (document: string): string =>
  document.length === 11
    ? `***.${document.slice(3, 6)}.${document.slice(6, 9)}-**`
    : `**.${document.slice(2, 5)}.${document.slice(5, 8)}/****-**`
