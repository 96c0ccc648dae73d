import type { Static } from 'typebox'
import {
  type ControlChange,
  controlChangeStatuses,
} from '../../../engine/approval-and-limits/control-change.ts'
import {
  type AccountControls,
  type Controls,
  controlsOf,
  nightStarts,
} from '../../../engine/approval-and-limits/controls.ts'
import { limitUsage } from '../../../engine/money-out/limits.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import {
  booleanOf,
  count,
  digitsOrNull,
  identity,
  instant,
  instantOrNull,
  listOf,
  nonNegativeAmountOf,
  nullableField,
  nullableText,
  objectName,
  textOf,
} from '../fields.ts'

/** The API's name of each control. */
export const controlNames = {
  enabled: 'enabled',
  thresholdCents: 'thresholdAmount',
  personDailyCents: 'personDailyAmount',
  newBeneficiaryCents: 'newBeneficiaryAmount',
  required: 'required',
  expiresAfterHours: 'expiresAfterHours',
  pixDayCents: 'pixDayAmount',
  pixNightCents: 'pixNightAmount',
  nightStartsAt: 'nightStartsAt',
  tedDayCents: 'tedDayAmount',
  cryptoDayCents: 'cryptoDayAmount',
  newBeneficiaryDayCents: 'newBeneficiaryDayAmount',
  pixTransferCents: 'pixTransferAmount',
  tedTransferCents: 'tedTransferAmount',
} as const satisfies Readonly<Record<keyof Controls, string>>

const pendingControl = namedObject('PendingControl', 'A looser value that does not count yet.', {
  changeId: textOf('The change that it is part of, `chg_…`.'),
  field: described(choice(...Object.values(controlNames)), 'What it is.'),
  amount: nullableField(nonNegativeAmountOf('The amount to come; null for what has none.')),
  value: textOf('What is to come, as a text; NONE for no bound.'),
  effectiveAt: nullableField(instant, 'From when on it counts; null until another person has approved it.'),
})

const pending = listOf(pendingControl, 'Looser values that do not count yet.')

/** When other people have to approve that money leaves. */
export const approvalPolicy = namedObject('ApprovalPolicy', 'When other people approve that money leaves.', {
  object: objectName('approval_policy'),
  enabled: booleanOf('Whether anybody else ever has to approve.'),
  thresholdAmount: nonNegativeAmountOf('Above it, others approve.'),
  personDailyAmount: nonNegativeAmountOf('Above this sum by one person in a day, others approve.'),
  newBeneficiaryAmount: nonNegativeAmountOf('Above it, others approve what a payee gets for the first time.'),
  required: count('How many others approve, or as many as there are.'),
  expiresAfterHours: count('After so many hours without approval it is cancelled.'),
  pending,
})

const usedOf = (what: string) => nonNegativeAmountOf(`What has left today ${what}.`)

/** What may leave at most. */
export const moneyOutLimits = namedObject('Limits', 'What may leave at most, by day of the company.', {
  object: objectName('limits'),
  pixDayAmount: nonNegativeAmountOf('By PIX in a day.'),
  pixNightAmount: nonNegativeAmountOf('By PIX in a night, which ends at 06:00.'),
  nightStartsAt: described(choice(...nightStarts), 'When the night begins.'),
  tedDayAmount: nonNegativeAmountOf('By TED in a day.'),
  cryptoDayAmount: nonNegativeAmountOf('In stablecoins in a day.'),
  newBeneficiaryDayAmount: nonNegativeAmountOf(
    'To all payees in their first 24 hours together, in any 24 hours.',
  ),
  pixTransferAmount: nullableField(nonNegativeAmountOf('In a single PIX; null for no bound.')),
  tedTransferAmount: nullableField(nonNegativeAmountOf('In a single TED; null for no bound.')),
  usage: namedObject('LimitsUsage', 'How much of each is used.', {
    pixDayAmount: usedOf('by PIX'),
    pixNightAmount: usedOf('by PIX at night'),
    tedDayAmount: usedOf('by TED'),
    cryptoDayAmount: usedOf('in stablecoins'),
  }),
  pending,
})

type OfAccount = Parameters<typeof controlsOf>[0]

/** An account's approval policy. */
export const approvalPolicyView = (account: OfAccount): Static<typeof approvalPolicy> => {
  const present = controlsOf(account)
  return {
    object: 'approval_policy',
    enabled: present.enabled,
    thresholdAmount: String(present.thresholdCents),
    personDailyAmount: String(present.personDailyCents),
    newBeneficiaryAmount: String(present.newBeneficiaryCents),
    required: present.required,
    expiresAfterHours: present.expiresAfterHours,
    pending: pendingView(account.controls, Object.keys(approvalPolicy.properties)),
  }
}

/** An account's limits, and how much of them is used at an instant. */
export const moneyOutLimitsView = (
  account: OfAccount & Parameters<typeof limitUsage>[0],
  nowMs: number,
): Static<typeof moneyOutLimits> => {
  const present = controlsOf(account)
  const usage = limitUsage(account, nowMs)
  return {
    object: 'limits',
    pixDayAmount: String(present.pixDayCents),
    pixNightAmount: String(present.pixNightCents),
    nightStartsAt: present.nightStartsAt,
    tedDayAmount: String(present.tedDayCents),
    cryptoDayAmount: String(present.cryptoDayCents),
    newBeneficiaryDayAmount: String(present.newBeneficiaryDayCents),
    pixTransferAmount: digitsOrNull(present.pixTransferCents),
    tedTransferAmount: digitsOrNull(present.tedTransferCents),
    usage: {
      pixDayAmount: String(usage.pixDayCents),
      pixNightAmount: String(usage.pixNightCents),
      tedDayAmount: String(usage.tedDayCents),
      cryptoDayAmount: String(usage.cryptoDayCents),
    },
    pending: pendingView(account.controls, Object.keys(moneyOutLimits.properties)),
  }
}

const pendingView = ({ pending }: AccountControls, shown: readonly string[]) =>
  pending === null
    ? []
    : fieldsOf(pending.changes)
        .filter(([field]) => shown.includes(controlNames[field]))
        .map(([field, value]) => ({
          changeId: pending.changeId,
          field: controlNames[field],
          amount: field.endsWith('Cents') ? digitsOrNull(value as number | null) : null,
          value: valueText(value),
          effectiveAt: instantOrNull(pending.effectiveAtMs),
        }))

/** The value of a control; NONE without a bound. */
const valueText = (value: Controls[keyof Controls] | undefined): string => String(value ?? 'NONE')

const fieldsOf = (controls: Partial<Controls>) =>
  Object.entries(controls) as [keyof Controls, Controls[keyof Controls]][]

/** A looser approval policy or limit on its way. */
export const controlChange = namedObject('ControlChange', 'A looser approval policy or limit on its way.', {
  ...identity('chg', 'control_change'),
  status: described(
    choice(...controlChangeStatuses),
    'PENDING_APPROVAL: another person decides. SCHEDULED: it counts from `effectiveAt` on. SUPERSEDED: a stricter value was set meanwhile.',
  ),
  fields: listOf(
    namedObject('ControlChangeField', 'One value.', {
      field: described(choice(...Object.values(controlNames)), 'What it is.'),
      before: textOf('What counted when it was asked for; NONE for no bound.'),
      after: textOf('What is to count; NONE for no bound.'),
    }),
    'What it changes.',
  ),
  requestedBy: described(nullableText, 'The person who asked for it, `per_…`.'),
  decidedBy: described(nullableText, 'The person who approved or rejected it.'),
  decidedAt: nullableField(instant, 'When.'),
  effectiveAt: nullableField(instant, 'From when on it counts.'),
  createdAt: described(instant, 'When it was asked for.'),
})

/** A change as answers show it. */
export const controlChangeView = (change: ControlChange): Static<typeof controlChange> => ({
  id: change.id,
  object: 'control_change',
  status: change.status,
  fields: fieldsOf(change.after).map(([field, after]) => ({
    field: controlNames[field],
    before: valueText(change.before[field]),
    after: valueText(after),
  })),
  requestedBy: change.requestedBy,
  decidedBy: change.decidedBy,
  decidedAt: instantOrNull(change.decidedAtMs),
  effectiveAt: instantOrNull(change.effectiveAtMs),
  createdAt: isoInstant(change.createdAtMs),
})
