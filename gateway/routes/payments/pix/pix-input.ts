import type { PixTerms } from '../../../../engine/payments/methods/pix/terms.ts'
import { readDate, readInstant } from '../../../../engine/shared/calendar.ts'

const defaultExpirySeconds = 3600

/** Reads how long a PIX can be paid. */
export const readPixTerms = (body: {
  readonly expiresInSeconds?: number
  readonly dueDate?: string
}): PixTerms => ({
  method: 'PIX',
  // The default belongs to the engine; here a default given or left out must only read the same.
  expiresInSeconds: body.expiresInSeconds ?? (body.dueDate === undefined ? defaultExpirySeconds : null),
  due: body.dueDate === undefined ? null : readDue(body.dueDate),
})

const readDue = (text: string): PixTerms['due'] => {
  const date = readDate(text)
  return date === null ? { instantMs: readInstant(text)! } : { date }
}
