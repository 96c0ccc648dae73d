import { dynamicBrCode } from '../../../engine/payments/methods/pix/br-code.ts'
import { crc16 } from '../../../engine/shared/crc16.ts'
import { type Cents, toCents } from '../../../engine/shared/money.ts'
import { readValor } from './amounts.ts'

/** What a payer's app reads in a code that names locations: of a charge, of a mandate, or of both. */
export type DynamicCode = {
  readonly location: string | null
  readonly recurrenceLocation: string | null
  /** For people alone; null where it is left out. */
  readonly amountCents: Cents | null
}

/**
 * Reads the text of a dynamic BR Code (EMV QRCPS-MPM): null where its fields do not fit, the checksum is wrong, or it names no location. Payers are
 * shown no code that their apps would not take.
 */
export const readDynamicCode = (text: string): DynamicCode | null => {
  if (text.length > 512 || text.slice(-8, -4) !== '6304') return null
  if (crc16(text.slice(0, -4)) !== text.slice(-4).toUpperCase()) return null
  const fields = readFields(text)
  if (fields?.get('00') !== '01' || fields.get('53') !== '986' || fields.get('58') !== 'BR') return null
  const location = locationIn(fields.get('26'))
  const recurrenceLocation = locationIn(fields.get('80'))
  if (location === null && recurrenceLocation === null) return null
  const amount = fields.get('54')
  return { location, recurrenceLocation, amountCents: amount === undefined ? null : readValor(amount) }
}

const locationIn = (template: string | undefined): string | null => {
  const parts = template === undefined ? null : readFields(template)
  return parts?.get('00')?.toLowerCase() === 'br.gov.bcb.pix' ? (parts.get('25') ?? null) : null
}

const readFields = (text: string): ReadonlyMap<string, string> | null => {
  const fields = new Map<string, string>()
  for (let at = 0; at < text.length; ) {
    const [, id, size] = /^(\d\d)(\d\d)$/.exec(text.slice(at, at + 4)) ?? []
    const end = at + 4 + Number(size)
    if (id === undefined || end > text.length || fields.has(id)) return null
    fields.set(id, text.slice(at + 4, end))
    at = end
  }
  return fields
}

/**
 * The code of a charge: the bank's own if it can be read and names the charge's location and amount, else one that is built from the
 * location. Null where the bank contradicts itself, or says neither.
 */
export const codeOfCharge = (of: {
  readonly copyPaste: string | undefined
  readonly location: string | undefined
  readonly amountCents: Cents
  readonly merchant: { readonly name: string; readonly city: string }
}): { readonly copyPaste: string; readonly location: string } | null => {
  const { copyPaste, amountCents, merchant } = of
  const location = of.location?.replace(/^https:\/\//, '')
  const read = copyPaste === undefined ? null : readDynamicCode(copyPaste)
  if (copyPaste !== undefined && read !== null && read.location !== null) {
    const isSame =
      (location === undefined || location === read.location) &&
      (read.amountCents === null || read.amountCents === 0 || read.amountCents === amountCents)
    return isSame ? { copyPaste, location: read.location } : null
  }
  if (location === undefined) return null
  try {
    return { copyPaste: dynamicBrCode({ location, amountCents: toCents(amountCents), merchant }), location }
  } catch {
    return null
  }
}
