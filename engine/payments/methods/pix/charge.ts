import type { Context } from '../../../kernel/context.ts'
import type { Rejection } from '../../../kernel/registry.ts'
import type { Account } from '../../../ledger/account.ts'
import type { AccountContext } from '../../../ledger/receivables.ts'
import { addDays, type CalendarDate, dateIn, endOfDay, nextBusinessDay } from '../../../shared/calendar.ts'
import { randomAlphanumerics } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import { dynamicBrCode } from './br-code.ts'
import type { Pix } from './pix.ts'
import type { PixTerms } from './terms.ts'

const defaultExpirySeconds = 3600
const dueDaysMax = 366

export type PixValidity =
  | {
      readonly ok: true
      readonly pix: Pick<Pix, 'type' | 'dueDate' | 'expiresInSeconds'>
      readonly expiresAtMs: number
    }
  | { readonly ok: false; readonly rejection: Rejection }

/** Until when a charge can be paid (decisions, section 10): a due date lasts until the end of its business day. */
export const pixValidity = (terms: PixTerms, nowMs: number, timeZone: string): PixValidity => {
  if (terms.due === null) {
    const expiresInSeconds = terms.expiresInSeconds ?? defaultExpirySeconds
    const pix = { type: 'IMMEDIATE', dueDate: null, expiresInSeconds } as const
    return { ok: true, pix, expiresAtMs: nowMs + expiresInSeconds * 1000 }
  }
  const dueDate = 'date' in terms.due ? terms.due.date : dateIn(timeZone, terms.due.instantMs)
  const today = dateIn(timeZone, nowMs)
  if (dueDate < today) return { ok: false, rejection: { reason: 'DUE_DATE_IN_THE_PAST' } }
  if (dueDate > addDays(today, dueDaysMax))
    return { ok: false, rejection: { reason: 'DUE_DATE_TOO_FAR', limit: dueDaysMax, unit: 'DAYS' } }
  const pix = { type: 'DUE_DATE', dueDate, expiresInSeconds: terms.expiresInSeconds } as const
  return {
    ok: true,
    pix,
    expiresAtMs: endOfDay(timeZone, nextBusinessDay(dueDate)) + (terms.expiresInSeconds ?? 0) * 1000,
  }
}

/** A new QR code that is paid by its due date, or at any time. */
export const issuedPix = (
  dueDate: CalendarDate | null,
  amountCents: Cents,
  { account, context }: AccountContext,
): Pix => {
  const type = dueDate === null ? 'IMMEDIATE' : 'DUE_DATE'
  const issued = issuePix(type, amountCents, account, context)
  return {
    keyId: account.pixKey.id,
    bankKey: null,
    mandateId: null,
    type,
    dueDate,
    expiresInSeconds: null,
    payment: null,
    ...issued,
  }
}

/** Ids of a new QR code. The location's token is random: guessing it would be enough to read the charge. */
export const issuePix = (
  type: Pix['type'],
  amountCents: Cents,
  account: Account,
  context: Context,
): { readonly txid: string; readonly copyPaste: string } => {
  const txid = randomAlphanumerics(32, context.entropy)
  const token = randomAlphanumerics(32, context.entropy)
  const kind = type === 'DUE_DATE' ? 'cobv' : 'cob'
  const copyPaste = dynamicBrCode({
    location: `${context.institution.pixLocation}/${kind}/${token}`,
    amountCents,
    merchant: account.profile,
  })
  return { txid, copyPaste }
}
