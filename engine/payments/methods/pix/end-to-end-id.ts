import { assert } from '../../../shared/assert.ts'
import { isoInstant, readInstant } from '../../../shared/calendar.ts'

/** E names a payment, D its return. */
type EndToEndKind = 'E' | 'D'

/**
 * The id under which a payment or return travels through the SPI (API Pix 2.9, `EndToEndId`, `RtrId`): kind, ISPB of
 * the initiator, UTC minute, and eleven characters that the caller makes unique in that minute.
 */
export const endToEndIdOf = (kind: EndToEndKind, ispb: string, epochMs: number, suffix: string): string => {
  const iso = isoInstant(epochMs)
  const date = iso.slice(0, 4) + iso.slice(5, 7) + iso.slice(8, 10)
  const id = kind + ispb + date + iso.slice(11, 13) + iso.slice(14, 16) + suffix
  assert(pattern.test(id), 'an end-to-end id has an ISPB of 8 characters and a suffix of 11')
  return id
}

/** The UTC minute that the id of a payment names; null where it is none. */
export const timeOfEndToEnd = (id: string): number | null => {
  const [, year, month, day, hour, minute] = paymentPattern.exec(id) ?? []
  return year === undefined ? null : readInstant(`${year}-${month}-${day}T${hour}:${minute}:00Z`)
}

const paymentPattern = /^E[0-9A-Z]{8}(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)[0-9A-Za-z]{11}$/
const pattern = /^[ED][0-9A-Z]{8}\d{12}[0-9A-Za-z]{11}$/
