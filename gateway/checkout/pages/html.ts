/** A piece of a page. Only `html` makes one, which escapes every text that it is given, so no payer's or merchant's text becomes markup. */
export type Html = { readonly markup: string }

type Piece = Html | string | number | null | false | undefined | readonly Piece[]

/**
 * Markup with values in it: texts are escaped, pieces stand as they are, and null, false and undefined are nothing. Signs beyond ASCII are
 * values: the bundle can write them no other way in a tagged template.
 */
export const html = (parts: TemplateStringsArray, ...values: readonly Piece[]): Html => ({
  markup: parts.reduce((text, part, n) => text + written(values[n - 1]) + part),
})

/** Nothing. */
export const nothing: Html = { markup: '' }

const written = (value: Piece): string => {
  if (value === null || value === false || value === undefined) return ''
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'number') return String(value)
  return 'markup' in value ? value.markup : value.map(written).join('')
}

/** A text as it stands between tags and within double quotes. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign]!)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
