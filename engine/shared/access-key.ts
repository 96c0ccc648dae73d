/**
 * The access key of a fiscal document (NF-e, NFC-e, CT-e and their like): state, month, CNPJ of the issuer, model, series, number, kind
 * of issue, code and check digit, 44 characters in all. The CNPJ may have letters in its first twelve places (IN RFB 2.229/2024).
 */
const form = /^\d{2}\d{2}(0[1-9]|1[0-2])[0-9A-Z]{12}\d{26}$/

/** Whether a text is an access key whose check digit is right. What it names may still not exist. */
export const isAccessKey = (text: string): boolean =>
  form.test(text) && text.charCodeAt(43) - 48 === checkDigitOf(text)

/** Modulo 11 over the first 43 characters, with weights from 2 to 9 from the right. A letter counts as its ASCII code minus 48. */
const checkDigitOf = (key: string): number => {
  let sum = 0
  for (let i = 0; i < 43; i++) sum += (key.charCodeAt(i) - 48) * (2 + ((42 - i) % 8))
  const remainder = sum % 11
  return remainder < 2 ? 0 : 11 - remainder
}
