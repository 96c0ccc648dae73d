import type { Schemas } from '../core/api.ts'
import { count, day, moment, money } from '../core/format.ts'
import { t } from '../core/language.ts'

type Notice = Schemas['Notice']

/** What a notice says in full. */
export const noticeText = ({ kind, details }: Notice): string => {
  const given = details as Readonly<Record<string, string | number | null | undefined>>
  const of = (name: string): string => String(given[name] ?? '')
  const texts = t.noticeText
  switch (kind) {
    case 'DELIVERY_FAILING':
    case 'DELIVERY_EXHAUSTED':
      return texts[kind](of('type'), of('reason'))
    case 'CHARGEBACK_OPENED':
    case 'DEFENSE_DUE':
      return texts[kind](money(of('amount')), moment(of('defenseDueAt')))
    case 'MED_OPENED':
      return texts.MED_OPENED(money(of('amount')))
    case 'CARD_TESTING':
      return texts.CARD_TESTING
    case 'CRYPTO_DEPOSIT':
      return texts.CRYPTO_DEPOSIT(of('cryptoAmount'), of('asset'))
    case 'BALANCE_NEGATIVE':
      return texts.BALANCE_NEGATIVE(money(of('amount')))
    case 'TRANSFER_PENDING':
    case 'TRANSFER_COMPLETED':
    case 'TRANSFER_RETURNED':
      return texts[kind](money(of('amount')), of('name'))
    case 'PAYOUT_RETURNED':
    case 'TRANSFER_LOST':
    case 'RETURN_FAILED':
      return texts[kind](money(of('amount')), of(kind === 'RETURN_FAILED' ? 'reason' : 'name'))
    case 'TRANSFER_FAILED':
      return texts.TRANSFER_FAILED(money(of('amount')), of('name'), of('reason'))
    case 'WITHDRAWAL_PENDING':
      return texts.TRANSFER_PENDING(`${of('cryptoAmount')} ${of('asset')}`, of('name'))
    case 'WITHDRAWAL_COMPLETED':
      return texts.TRANSFER_COMPLETED(`${of('cryptoAmount')} ${of('asset')}`, of('name'))
    case 'WITHDRAWAL_FAILED':
      return texts.TRANSFER_FAILED(`${of('cryptoAmount')} ${of('asset')}`, of('name'), of('reason'))
    case 'LIMIT_CHANGED':
      return texts.LIMIT_CHANGED(
        texts.limitStage[of('stage') as keyof typeof texts.limitStage],
        of('fields')
          .split(',')
          .map((field) => texts.limit[field as keyof typeof texts.limit] ?? field)
          .join(', '),
        given.by == null ? null : of('by'),
        given.effectiveAt == null ? null : moment(of('effectiveAt')),
      )
    case 'TICKET_ANSWERED':
      return `#${of('number')} ${of('subject')}`
    case 'KEY_CREATED':
      return texts.KEY_CREATED(`${of('name')} …${of('last4')}`, given.by == null ? null : of('by'))
    case 'KEY_EXPIRING':
      return texts.KEY_EXPIRING(`${of('name')} …${of('last4')}`, moment(of('expiresAt')))
    case 'KEY_UNUSED':
      return texts.KEY_UNUSED(`${of('name')} …${of('last4')}`)
    case 'CONNECTION_EXPIRING':
      return texts.CONNECTION_EXPIRING(of('provider'), moment(of('expiresAt')))
    case 'CONNECTION_STOPPED':
      return texts.CONNECTION_STOPPED(of('provider'))
    case 'BOOKS_DIFFER':
      return texts.BOOKS_DIFFER(of('provider'), day(of('date')), count(Number(given.count)))
    case 'STATEMENT_MISSING':
      return texts.STATEMENT_MISSING(of('provider'), day(of('date')))
    case 'SUSPENSE_OLD':
      return texts.SUSPENSE_OLD(money(of('amount')))
    case 'FACTOR_RESET':
      return of('name') || t.erasedPerson
    case 'PASSKEY_COUNTER':
      return `${of('name')} · ${of('ip')} · ${of('userAgent')}`
    case 'ROLE_PENDING':
      return texts.ROLE_PENDING(
        of('name') || t.erasedPerson,
        roleText(of('role')),
        given.by == null ? null : of('by'),
      )
    case 'ROLE_BY_OPERATOR':
      return texts.ROLE_BY_OPERATOR(of('name') || t.erasedPerson, roleText(of('role')))
    case 'NEW_SIGN_IN':
      return `${of('ip')} · ${of('userAgent')}`
  }
}

const roleText = (role: string): string => t.role[role as keyof typeof t.role] ?? role
