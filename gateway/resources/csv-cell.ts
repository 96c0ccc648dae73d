/** A text of the company's or of another party's, as RFC 4180 says. */
export const textCell = (value: string | null | undefined): string =>
  value === null || value === undefined || isPlain.test(value) ? (value ?? '') : quoted(value)

const isPlain = /^(?:[\w.][^",\r\n]*)?$/

/** A text that spreadsheets would take for a formula gets an apostrophe (OWASP ASVS 1.2.10). */
const quoted = (value: string): string => {
  const text = /^[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(value) ? `"${text.replaceAll('"', '""')}"` : text
}
