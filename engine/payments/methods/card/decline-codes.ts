/**
 * Reasons why a card payment was declined, by ABECS code (decisions, section 12). A reason that is new is also listed in
 * `gateway/resources/enumerations.ts`, has a tag in `persistence/codec/facts/shared.ts`, and a text in
 * `gateway/dashboard/texts/`: none of them compiles without it.
 */
export const declines = {
  '05': { failureReason: 'GENERIC_DECLINE', retryable: true },
  '51': { failureReason: 'INSUFFICIENT_FUNDS', retryable: true },
  '59': { failureReason: 'SUSPECTED_FRAUD', retryable: true },
  '61': { failureReason: 'AMOUNT_LIMIT_EXCEEDED', retryable: true },
  '62': { failureReason: 'CARD_TEMPORARILY_BLOCKED', retryable: true },
  '78': { failureReason: 'CARD_NOT_UNLOCKED', retryable: true },
  '91': { failureReason: 'ISSUER_UNAVAILABLE', retryable: true },
  '14': { failureReason: 'INVALID_CARD', retryable: false },
  '41': { failureReason: 'LOST_CARD', retryable: false },
  '43': { failureReason: 'STOLEN_CARD', retryable: false },
  '46': { failureReason: 'ACCOUNT_CLOSED', retryable: false },
  '54': { failureReason: 'EXPIRED_CARD', retryable: false },
  '57': { failureReason: 'TRANSACTION_NOT_PERMITTED', retryable: false },
  '63': { failureReason: 'SECURITY_VIOLATION', retryable: false },
} as const

export type DeclineCode = keyof typeof declines
export type DeclineReason = (typeof declines)[DeclineCode]['failureReason']
