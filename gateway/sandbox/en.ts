import type { SandboxTexts } from './sandbox-text.ts'

/** What the Sandbox does, in English. "After N s" counts on the Sandbox's clock. */
export const en: SandboxTexts = {
  scenarios: {
    paid: 'The PIX or boleto is paid 2 s after it was created.',
    never_paid: 'Simulated payments are refused, so that the charge expires.',
    paid_late: 'When the PIX expires a payment arrives and is returned (`PAID_AFTER_EXPIRY`).',
    paid_twice:
      'The PIX is paid after 2 s, and again 2 s later: the second payment is returned (`DUPLICATE_PAYMENT`).',
    paid_overdue: 'The boleto is paid 5 days after its due date, with fine and interest.',
    provider_error:
      'The charge is `FAILED` from the start: `REGISTRATION_REJECTED` for a PIX or boleto, `PROVIDER_ERROR` for a card or a stablecoin.',
    med: 'The PIX is paid after 2 s, and a MED is opened 5 s later.',
    refund_fails: 'Refunds of the payment are `PROCESSING`, and `FAILED` after 5 s.',
    refund_slow: 'Refunds of the payment are `PROCESSING`, and `COMPLETED` after 5 s.',
    insufficient_balance: 'Refunds of the payment are answered 422 `INSUFFICIENT_BALANCE`.',
  },
  conversions: {
    conversion_slow: 'The conversion stays `PROCESSING` until it is resolved.',
    conversion_fails: 'The conversion is `FAILED` (`MARKET_MOVED`), and the money is back.',
  },
  withdrawals: {
    withdrawal_silent: 'The chain says nothing for 15 minutes, and then that the withdrawal is `COMPLETED`.',
  },
  transfers: {
    transfer_fails: 'The transfer is `FAILED` (`REFUSED_BY_BANK`).',
    transfer_slow: 'The transfer is `PROCESSING`, and `COMPLETED` after 5 s.',
    transfer_silent: 'The bank says nothing for 15 minutes, and then that the transfer is `COMPLETED`.',
    transfer_lost:
      'The bank never says what became of it, and can be asked no more: two people declare it, and no statement is looked at here.',
    transfer_insufficient:
      'The transfer is answered 422 `INSUFFICIENT_BALANCE`; a scheduled one is `FAILED` when it is due.',
  },
  keys: {
    unknown: 'A look-up is answered 422 `PIX_KEY_NOT_FOUND`.',
    unanswered: 'A look-up is answered 503.',
    blocked: 'Transfers to it are `FAILED` (`ACCOUNT_BLOCKED`, AC06).',
    moved: 'The key has another owner when it is paid: transfers are `FAILED` (`BENEFICIARY_CHANGED`).',
    slow: 'Transfers to it are `PROCESSING`, and `COMPLETED` after 5 s.',
  },
  cards: {
    approved: 'Approved.',
    antifraud: '`DECLINED` by the antifraud (`ANTIFRAUD_DECLINED`).',
    processing: '`PROCESSING`, and `APPROVED` after 5 s.',
    processing_declined: '`PROCESSING`, and `DECLINED` after 5 s.',
    timeout: '`PROCESSING`, and `FAILED` (`ACQUIRER_TIMEOUT`) after 15 minutes.',
    capture_fails: 'Authorized; a capture is answered 422 `CAPTURE_FAILED`.',
    refund_fails: 'Approved; refunds are `PROCESSING`, and `FAILED` after 5 s.',
    refund_slow: 'Approved; refunds are `PROCESSING`, and `COMPLETED` after 5 s.',
    chargeback: 'Approved; a chargeback is opened 5 s later.',
    recurring_expires:
      'On a subscription the first attempt is approved, later ones are declined with 54 (expired card).',
  },
  declined: (code, reason, isRetryable) =>
    `\`DECLINED\` with the ABECS code ${code} (\`${reason}\`), ${isRetryable ? 'which may be tried again' : 'for good'}.`,
  recurringFail: (count) =>
    count === 1
      ? 'On a subscription the first attempt is declined with 51, the next one is approved.'
      : `On a subscription the first ${count} attempts are declined with 51, the next one is approved.`,
  documents: {
    antifraud: 'A card payment of this customer is `DECLINED` (`ANTIFRAUD_DECLINED`).',
    boletoRefused: 'The bank refuses to register a boleto of this customer (`REGISTRATION_REJECTED`).',
    paidByThirdParty: 'Another person pays the PIX of this customer: `payerMatchesCustomer` is false.',
  },
  winningEvidence:
    'In the defense of a chargeback, or in the contest of a MED: it is `WON` after 5 s. In the defense of a MED: it is `REJECTED`.',
  losingEvidence:
    'In the defense of a chargeback, or in the contest of a MED: it is `LOST` after 5 s. In the defense of a MED: it is `ACCEPTED`.',
  refusedBankCode:
    'As a bank code: transfers to it are `FAILED`, those to recipients and those that people send (`ACCOUNT_NOT_FOUND`, AC03).',
  lostBankCode:
    'As a bank code: the bank never says what became of transfers to it, as with `transfer_lost`.',
}
