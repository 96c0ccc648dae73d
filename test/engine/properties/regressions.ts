import type { Step, Story } from './steps.ts'

/** A story with a title; in Sandbox, from the first day on, unless it says otherwise. */
export type Regression = Partial<Story> & { readonly title: string; readonly steps: readonly Step[] }

/** An ordinary one, and those that failed once, each as short as it gets. */
export const regressions: readonly Regression[] = [
  {
    title: 'what a shop does in a quarter of a year',
    steps: [
      { do: 'pix', cents: 1990, key: true },
      { do: 'again' },
      { do: 'pay' },
      { do: 'refund', part: 500 },
      { do: 'boleto', cents: 10_000, days: 3, fine: 200, interest: 100 },
      { do: 'card', cents: 10_000, installments: 3 },
      { do: 'card', cents: 5000, authorize: true, hold: true },
      { do: 'crash', kept: 1 },
      { do: 'capture', part: 500, answers: ['silent', 'late'] },
      { do: 'advance', by: 'P7D' },
      { do: 'payBoleto', clears: 'later' },
      { do: 'advance', by: 'P29D' },
      { do: 'chargeback', n: 1 },
      { do: 'dispute' },
      { do: 'resolveChargeback', result: 'WON' },
      { do: 'cancelCard', n: 1 },
      { do: 'advance', by: 'P60D' },
    ],
  },
  {
    title: 'a payment of one centavo is not seeded as refunded in part',
    steps: [{ do: 'seed', method: 'PIX', status: 'PARTIALLY_REFUNDED', cents: 1 }],
  },
  {
    title: 'the receivables of a seed are what its status has left of them',
    steps: [
      { do: 'seed', method: 'PIX', status: 'REFUNDED', cents: 61 },
      { do: 'seed', method: 'CREDIT_CARD', status: 'CHARGEBACK', cents: 61 },
      { do: 'seed', method: 'CREDIT_CARD', status: 'PARTIALLY_REFUNDED', cents: 61 },
      { do: 'refund' },
    ],
  },
  {
    title: 'a seed of another method than a card is cancelled without asking an acquirer',
    steps: [
      { do: 'seed', method: 'PIX', status: 'AUTHORIZED', cents: 61 },
      { do: 'cancel' },
      { do: 'seed', method: 'BOLETO', status: 'AUTHORIZED', cents: 61 },
      { do: 'cancel' },
    ],
  },
  {
    title: 'a debit card costs what debit cards cost, also when it is captured',
    steps: [{ do: 'seed', method: 'DEBIT_CARD', status: 'AUTHORIZED', cents: 10_000 }, { do: 'capture' }],
  },
  {
    title: 'a chargeback that ends a refund is answered about itself',
    steps: [{ do: 'card', cents: 61 }, { do: 'refund', answers: ['late'] }, { do: 'chargeback' }],
  },
  {
    title: 'two refunds that one chargeback ends are each answered about themselves',
    steps: [
      { do: 'card', cents: 61 },
      { do: 'refund', part: 500, answers: ['late', 'late'] },
      { do: 'refund', part: 500 },
      { do: 'chargeback' },
    ],
  },
  {
    title: 'a refund that is decided before the rail answers keeps its key',
    steps: [
      { do: 'pix', cents: 61 },
      { do: 'pay' },
      { do: 'refund', part: 300, key: true, answers: ['late'] },
      { do: 'resolveRefund', result: 'COMPLETED' },
      { do: 'again' },
    ],
  },
  {
    title: 'refunds that a chargeback ends keep their keys',
    steps: [
      { do: 'card', cents: 61 },
      { do: 'refund', part: 300, key: true, answers: ['late', 'late'] },
      { do: 'refund', part: 300, key: true },
      { do: 'chargeback' },
      { do: 'again' },
      { do: 'again', n: 1 },
    ],
  },
  {
    title: 'instalments that fell due while a chargeback was open come back in one settlement',
    steps: [
      { do: 'card', cents: 61, installments: 2 },
      { do: 'advance', by: 'P23D' },
      { do: 'chargeback' },
      { do: 'advance', by: 'P10D' },
      { do: 'dispute' },
      { do: 'advance', by: 'P29D' },
      { do: 'resolveChargeback', result: 'WON' },
    ],
  },
  {
    title: 'a scenario opens no MED while all of the payment is on its way back',
    steps: [
      { do: 'pix', cents: 61, scenario: 'med' },
      { do: 'pay' },
      { do: 'refund', answers: ['pending', 'late'] },
      { do: 'advance', by: 'PT1M' },
    ],
  },
  {
    title: 'a scenario that comes after its window is played all the same',
    steps: [
      { do: 'seed', method: 'PIX', status: 'APPROVED', cents: 61, daysAgo: 100, scenario: 'med' },
      {
        do: 'seed',
        method: 'CREDIT_CARD',
        status: 'APPROVED',
        cents: 61,
        daysAgo: 200,
        scenario: 'chargeback',
      },
      { do: 'read' },
    ],
  },
  {
    title: 'a clock that was put back asks no acquirer until it comes to the time of the question again',
    steps: [
      { do: 'advance', by: 'P1Y' },
      { do: 'card', cents: 61, token: 'processing', answers: ['late'] },
      { do: 'resetClock' },
    ],
  },
  {
    title: 'of very many charges that are over at once, one that is paid too late is over, too',
    steps: [
      ...Array.from({ length: 250 }, () => ({ do: 'pix', cents: 61, seconds: 60 }) as const),
      { do: 'pass', ms: 3_600_000 },
      { do: 'pay', n: 200, any: true },
    ],
  },
  {
    title: 'the company bears the fee of a payment that is all of a recipient',
    environment: 'PRODUCTION',
    steps: [
      { do: 'pix', cents: 1, split: 'unpaid' },
      { do: 'pay', any: true },
    ],
  },
  {
    title: 'the refund of a card in Production takes what another payment brought',
    environment: 'PRODUCTION',
    steps: [
      { do: 'card', cents: 61 },
      { do: 'pix', cents: 61, split: 'shares' },
      { do: 'pay' },
      { do: 'settle' },
      { do: 'med', n: 1 },
      { do: 'refund', n: 1 },
    ],
  },
  {
    title: 'what leaves a shop, and what of it comes back',
    steps: [
      { do: 'pix', cents: 20_000 },
      { do: 'pay' },
      { do: 'quote', from: 'BRL', to: 'USDT', part: 300, answers: ['late'] },
      { do: 'arrive' },
      { do: 'convert', key: true, answers: ['silent'] },
      { do: 'crash' },
      { do: 'again' },
      { do: 'advance', by: 'PT1M' },
      { do: 'send', part: 500, key: true },
      { do: 'decideSend', says: 'approve' },
      { do: 'crash' },
      { do: 'again' },
      { do: 'crypto', cents: 5000, asset: 'USDC', network: 'SOLANA' },
      { do: 'transfer', part: 2000, confirmations: 0 },
      { do: 'report' },
      { do: 'resolveDeposit', action: 'RETURN', answers: ['silent'] },
      { do: 'crash' },
      { do: 'resolveDeposit', action: 'ACCEPT' },
      { do: 'advance', by: 'P1D' },
    ],
  },
  {
    title: 'stablecoins leave for wallets: silence, crashes, approvals, what is dropped, and a reset',
    steps: [
      { do: 'pix', cents: 100_000 },
      { do: 'pay' },
      { do: 'quote', from: 'BRL', to: 'USDT', part: 900 },
      { do: 'convert' },
      { do: 'withdraw', part: 15, key: true, answers: ['silent', 'late'] },
      { do: 'crash' },
      { do: 'again' },
      { do: 'withdraw', part: 16, to: 'dead' },
      { do: 'withdraw', part: 17, answers: ['thrice', 'refused'] },
      { do: 'withdraw', part: 40, to: 'recent' },
      { do: 'advance', by: 'P1D' },
      { do: 'withdraw', part: 40, to: 'recent', answers: ['late silent', 'silent'] },
      { do: 'withdraw', part: 60 },
      { do: 'withdraw', part: 61, key: true },
      { do: 'decideWithdrawal', says: 'approve', hold: true },
      { do: 'crash', kept: 1 },
      { do: 'decideWithdrawal', says: 'approve' },
      { do: 'again' },
      { do: 'arrive' },
      { do: 'withdraw', part: 62 },
      { do: 'removeWallet' },
      { do: 'withdraw', part: 5, to: 'recent', answers: ['late'] },
      { do: 'clear' },
      { do: 'arrive' },
    ],
  },
  {
    title: 'a transfer that the network had dropped and carries after all is there again',
    steps: [
      { do: 'crypto', cents: 61 },
      { do: 'transfer', confirmations: 0 },
      { do: 'drop' },
      { do: 'report' },
    ],
  },
  {
    title: 'what was seen while an address was watched is confirmed afterwards',
    steps: [
      { do: 'crypto', cents: 61 },
      { do: 'transfer', confirmations: 0 },
      { do: 'advance', by: 'P180D' },
    ],
  },
  {
    title: 'a price that comes after a reset of the Sandbox is of nothing',
    steps: [
      { do: 'pix', cents: 6100 },
      { do: 'pay' },
      { do: 'quote', from: 'BRL', to: 'USDT', part: 100, answers: ['late'] },
      { do: 'clear' },
      { do: 'arrive' },
    ],
  },
]
