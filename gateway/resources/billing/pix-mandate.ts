import {
  type HeldMandate,
  mandateJourneys,
  mandateStatuses,
} from '../../../engine/billing/mandate/mandate.ts'
import { described, named } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { date, digitsOrNull, nullableField, nullableText, textOf } from '../fields.ts'
import { resource, same } from '../resource.ts'

const code = 'The code of the payment system for why it was rejected or cancelled.'

export const mandateJourney = named(
  'PixAutomaticJourney',
  described(
    choice(...mandateJourneys),
    [
      'How the payer is asked for the mandate.',
      '',
      '- `NOTIFICATION`: their bank asks them, by `payerAccount`.',
      '- `QR`: by a code that holds the mandate alone.',
      '- `QR_WITH_PAYMENT`: one code pays the first invoice and authorizes those that follow.',
      '- `OPTIONAL`: the code of an invoice, which can be paid with or without authorizing the next ones.',
    ].join('\n'),
  ),
)

/** The mandate of Pix Automático by which a subscription collects its invoices (rails, section 4). */
export const pixMandate = resource<HeldMandate>(
  'PixMandate',
  'A mandate of Pix Automático: the payer has authorized, or is asked to authorize, what a subscription collects.',
).with({
  id: [textOf('Its id, `mdt_…`.'), same],
  idRec: [described(nullableText, 'The bank’s id of it; null until it has given one.'), same],
  status: [
    described(
      choice(...mandateStatuses),
      'CREATED: the payer has not decided. ACTIVE: invoices are collected by it. REJECTED, EXPIRED and CANCELLED: invoices are paid by QR code.',
    ),
    same,
  ],
  journey: [mandateJourney, same],
  amount: [
    nullableField(
      textOf('In centavos, as digits.'),
      'What every charge amounts to; null where it varies, as with a coupon.',
    ),
    ({ amountCents }) => digitsOrNull(amountCents),
  ],
  maximumAmount: [
    nullableField(
      textOf('In centavos, as digits.'),
      'The payer lets no charge be larger; an invoice above it is paid by QR code. Null where they set none.',
    ),
    ({ maximumCents }) => digitsOrNull(maximumCents),
  ],
  periodicity: [
    described(
      choice('SEMANAL', 'MENSAL', 'TRIMESTRAL', 'SEMESTRAL', 'ANUAL'),
      'How often it may be charged, in the standard’s words: by week, month, three months, six months or year.',
    ),
    same,
  ],
  startOn: [described(date, 'The first day on which it may be charged.'), same],
  endOn: [nullableField(date, 'The last day; null where it has none.'), same],
  closedBy: [nullableField(choice('PAYER', 'RECEIVER'), 'Who ended it.'), same],
  code: [described(nullableText, code), same],
  copyPaste: [
    described(
      nullableText,
      'What the payer’s app reads to authorize it; null where their bank asks them. With a payment it is also the code of `latestInvoice.payment`.',
    ),
    same,
  ],
})
