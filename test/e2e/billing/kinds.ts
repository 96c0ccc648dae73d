/** What the shop of a billing run sells, and which subscriptions it has: of each kind several. */
export type Kind = {
  readonly name: string
  readonly plan: keyof ReturnType<typeof plansWith>
  readonly method: 'PIX' | 'BOLETO' | 'CREDIT_CARD'
  readonly card?: object
  readonly couponCode?: string
  readonly metadata?: object
  /** Days until it starts. */
  readonly startsInDays?: number
  /** What its customer wants next: that it ends with its period, or has another plan from the next one on. */
  readonly next?: 'ends' | 'changes'
}

const methods = ['PIX', 'BOLETO', 'CREDIT_CARD']

export const plansWith = (splitRuleId: string) => ({
  month: { name: 'Month', amount: 4900, interval: 'MONTH', methods },
  dear: { name: 'Dear', amount: 9999, interval: 'MONTH', methods },
  divided: { name: 'Divided', amount: 7777, interval: 'MONTH', methods, splitRuleId },
  week: { name: 'Week', amount: 1501, interval: 'WEEK', methods, splitRuleId },
  trial: { name: 'Trial', amount: 4900, interval: 'MONTH', methods, trialDays: 7, setupFee: 100 },
  two: { name: 'Two', amount: 2500, interval: 'MONTH', methods, maxCycles: 2 },
})

/** The run takes so many days: some of each kind are then at their beginning, in their middle or at their end. */
export const runDays = 70

/** For the first cycles of a subscription, so many. */
export const couponCycles = 2

const coupon = {
  discountType: 'PERCENT',
  duration: 'REPEATING',
  durationCycles: couponCycles,
  maxRedemptionsPerCustomer: null,
}
export const coupons = [
  { ...coupon, code: 'TENTH', percentBps: 1050 },
  { ...coupon, code: 'FREE', percentBps: 10_000 },
]

const card = (token: string) => ({
  method: 'CREDIT_CARD' as const,
  card: { token: `tok_test_${token}`, brand: 'VISA', last4: '4242' },
})
const pix = { method: 'PIX' } as const
const boleto = { method: 'BOLETO' } as const
const paid = { metadata: { sandboxScenario: 'paid' } }
const tenth = { couponCode: 'TENTH' }

export const kinds: readonly Kind[] = [
  { name: 'card', plan: 'month', ...card('approved') },
  { name: 'card with a coupon', plan: 'divided', ...card('approved'), ...tenth },
  { name: 'card for nothing', plan: 'month', ...card('approved'), couponCode: 'FREE' },
  { name: 'weekly card', plan: 'week', ...card('approved') },
  { name: 'trial', plan: 'trial', ...card('approved'), ...tenth },
  { name: 'trial with a dead card', plan: 'trial', ...card('declined_51'), ...tenth },
  { name: 'two cycles', plan: 'two', ...card('approved') },
  { name: 'leaver', plan: 'divided', ...card('approved'), next: 'ends' },
  { name: 'changer', plan: 'month', ...card('approved'), ...tenth, next: 'changes' },
  { name: 'card that fails twice', plan: 'divided', ...card('recurring_fail_2') },
  { name: 'card that expires', plan: 'divided', ...card('recurring_expires'), ...tenth },
  { name: 'slow card', plan: 'month', ...card('processing') },
  { name: 'card without an answer', plan: 'month', ...card('timeout') },
  { name: 'pix', plan: 'divided', ...pix, ...paid, ...tenth },
  { name: 'pix from next week on', plan: 'week', ...pix, ...paid, startsInDays: 7 },
  { name: 'pix that nobody pays', plan: 'divided', ...pix, ...tenth },
  { name: 'card that has just expired', plan: 'month', ...card('recurring_expires'), startsInDays: 38 },
  { name: 'trial that runs', plan: 'trial', ...card('approved'), ...tenth, startsInDays: 66 },
  { name: 'pix that waits', plan: 'divided', ...pix, startsInDays: 69 },
  { name: 'boleto', plan: 'divided', ...boleto, ...paid },
  { name: 'boleto that nobody pays', plan: 'month', ...boleto, ...tenth },
]
