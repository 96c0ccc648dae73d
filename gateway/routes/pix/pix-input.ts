import type { PixTerms } from '../../../engine/payments/methods/pix/terms.ts'
import { readDate, readInstant } from '../../../engine/shared/calendar.ts'

const defaultExpirySeconds = 3600

/** How long a PIX can be paid, as a body says it. */
export const readPixTerms = (body: {
  readonly expiresInSeconds?: number
  readonly dueDate?: string
}): PixTerms => ({
  method: 'PIX',
  // The default is the engine's to know; here it only has to read the same whether given or left out.
  expiresInSeconds: body.expiresInSeconds ?? (body.dueDate === undefined ? defaultExpirySeconds : null),
  due: body.dueDate === undefined ? null : readDue(body.dueDate),
})

const readDue = (text: string): PixTerms['due'] => {
  const date = readDate(text)
  return date === null ? { instantMs: readInstant(text)! } : { date }
}
