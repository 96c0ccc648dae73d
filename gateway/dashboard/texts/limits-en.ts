import type { LimitTexts } from './limits-pt.ts'

/** Limits and approvals, which only their own page loads. */
export const limitsEn: LimitTexts = {
  lead: 'Sending limits and approval rules. Decreases take effect immediately; increases take effect 24 hours later, once another person has approved them if there is another approver.',
  readOnly: 'Only owners and admins can change these.',
  policy: 'Approval policy',
  limits: 'Limits',
  field: {
    enabled: 'Require approval',
    thresholdAmount: 'Approval above',
    personDailyAmount: 'Approval above (daily total per person)',
    newBeneficiaryAmount: 'Approval above (new payee)',
    required: 'Number of approvals',
    expiresAfterHours: 'Without approval, cancel after',
    pixDayAmount: 'PIX per day',
    pixNightAmount: 'PIX per night',
    nightStartsAt: 'Night period',
    tedDayAmount: 'TED per day',
    cryptoDayAmount: 'Crypto per day',
    newBeneficiaryDayAmount: 'New payees (24-hour total)',
    pixTransferAmount: 'Per PIX transfer',
    tedTransferAmount: 'Per TED transfer',
  },
  hint: {
    enabled: 'If turned off, one person alone can move any amount.',
    personDailyAmount: 'Based on the day’s total: splitting a payment does not avoid approval.',
    required: 'Always by other people, each with their own second factor.',
    expiresAfterHours: 'In hours, from 1 to 720.',
    newBeneficiaryDayAmount:
      'Total sent within 24 hours to payees that are not registered, or were registered less than 24 hours ago.',
    pixTransferAmount: 'Leave blank for no limit per transfer.',
    tedTransferAmount: 'Leave blank for no limit per transfer.',
    pixNightAmount: 'For an MEI the initial limit is R$ 1,000.00, as the Central Bank requires.',
  },
  noBound: 'no limit',
  night: (from: string) => `${from} to 06:00`,
  used: (amount: string) => `${amount} used today`,
  next: (value: string, at: string | null) => (at === null ? `${value}, if approved` : `${value} from ${at}`),
  fewPeople: (others: number) =>
    others === 0
      ? 'There is no other approver: your payments are sent without approval. Invite another person under Team.'
      : others === 1
        ? 'There is only 1 other approver: only their approval is required.'
        : `There are only ${others} other approvers: only their approvals are required.`,
  pendingText:
    'An increase is pending. Another can only be requested after it; a decrease of the same item cancels it.',
  unchanged: 'Change a value to see whether it takes effect immediately or has to wait.',
  atOnce: 'takes effect immediately',
  later: (hasApprover: boolean): string =>
    hasApprover ? 'takes effect 24 h after another person approves' : 'takes effect in 24 h',
  waits: (hasApprover: boolean): string =>
    hasApprover
      ? 'Saved; increases await approval by another person'
      : 'Saved; increases take effect in 24 hours',
  changes: 'Limit increases',
  change: 'Change',
  askedBy: 'Requested by',
  decidedBy: 'Decided by',
  from: (at: string) => `from ${at}`,
  none: 'No pending increases',
  noneText:
    'Limit increases and waived approvals appear here: another person approves or rejects them, and they take effect 24 hours later. This protects you against fraud.',
}
