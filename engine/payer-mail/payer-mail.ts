import type { ActorDefinition } from '../kernel/actor.ts'
import type { ActorFact } from '../kernel/fact.ts'
import { assert, unreachable } from '../shared/assert.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import type { AccountId, PayerMailId, TransactionId } from '../shared/ids.ts'
import { byClock } from '../shared/initiator.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly payerMail: PayerMail
  }
  interface ActorFacts {
    readonly payerMail: PayerMailFact
  }
}

/** Why a payer is written to: on request, because the due date is near, has come, or has passed, or with the receipt of what they paid at a page. */
export const mailPurposes = ['REQUESTED', 'BEFORE_DUE', 'ON_DUE_DATE', 'AFTER_DUE', 'RECEIPT'] as const
export type MailPurpose = (typeof mailPurposes)[number]

/** All mail about one charge to its payer, and the days on which a reminder is still to come. Its address stays with the charge. */
export type PayerMail = NewPayerMail & {
  readonly id: PayerMailId
  /** The oldest first; a mail is named by its number, counted from 1. */
  readonly mails: readonly MailToPayer[]
  readonly createdAtMs: number
}

export type NewPayerMail = {
  readonly accountId: AccountId
  readonly transactionId: TransactionId
} & Reminders

type Reminders = {
  /** The days of reminders to come, the next one first. */
  readonly remindOn: readonly CalendarDate[]
  /** When the next is due, on the environment clock; null when there is none. */
  readonly remindAtMs: number | null
}

export type MailToPayer = {
  readonly purpose: MailPurpose
  readonly language: 'pt' | 'en'
  /** WAITING for the queue of mails. */
  readonly status: 'WAITING' | MailOutcome
  /** In real time. */
  readonly askedAtMs: number
}

export type MailOutcome = 'QUEUED' | 'UNSUBSCRIBED' | 'NOT_PAYABLE'

export type PayerMailFact =
  | (Fact<'PayerMailOpened'> & { readonly mail: NewPayerMail })
  | (Fact<'PayerMailAsked'> & Pick<MailToPayer, 'purpose' | 'language'>)
  | (Fact<'PayerMailDone'> & { readonly number: number; readonly outcome: MailOutcome })
  | (Fact<'RemindersPlanned'> & Reminders)

type Fact<Type extends string> = ActorFact<'payerMail', Type>

const evolvePayerMail = (state: PayerMail | undefined, event: PayerMailFact): PayerMail => {
  if (event.type === 'PayerMailOpened') {
    assert(state === undefined, 'mail about a charge is opened once')
    return { id: event.id, mails: [], createdAtMs: event.atMs, ...event.mail }
  }
  assert(state !== undefined, `${event.type} follows PayerMailOpened`)
  switch (event.type) {
    case 'PayerMailAsked': {
      const { purpose, language, atMs: askedAtMs } = event
      return { ...state, mails: [...state.mails, { purpose, language, status: 'WAITING', askedAtMs }] }
    }
    case 'PayerMailDone':
      return {
        ...state,
        mails: state.mails.map((mail, n) =>
          n + 1 === event.number ? { ...mail, status: event.outcome } : mail,
        ),
      }
    case 'RemindersPlanned':
      return { ...state, remindOn: event.remindOn, remindAtMs: event.remindAtMs }
    default:
      return unreachable(event)
  }
}

export const payerMailKind: ActorDefinition<PayerMail, PayerMailFact> = {
  prefix: 'pml',
  namedBy: 'payerMailId',
  evolve: evolvePayerMail,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: () => '',
  lookupKeys: ({ transactionId, mails }) => [
    transactionId,
    ...(mails.some(({ status }) => status === 'WAITING') ? [waiting] : []),
  ],
  timer: ({ id: payerMailId, accountId, remindAtMs }) =>
    remindAtMs === null
      ? null
      : {
          dueAtMs: remindAtMs,
          command: { type: 'RemindPayer', accountId, by: byClock, payerMailId },
        },
}

/** The lookup key of those with a mail that is not queued yet. */
export const waiting = 'waiting'
