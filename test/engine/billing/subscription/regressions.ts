import type { Life } from './lives.ts'

/** Lives that once did not hold. */
export const regressions: readonly (Life & { readonly title: string })[] = [
  {
    title: 'a subscription is not late any more when the invoice that made it so is void',
    steps: [
      { do: 'create', plan: 4, method: 1, card: 5, coupon: 1, customer: 0, startIn: 0, paid: false },
      { do: 'pay', nth: 9 },
      { do: 'cancelCharge', nth: 8 },
      { do: 'change', nth: 2, plan: 1, effective: 0, preview: false },
    ],
  },
  {
    title: 'what was paid ahead for a plan to come is credited when another plan takes its place',
    steps: [
      { do: 'create', plan: 5, method: 1, card: 2, coupon: 4, customer: 0, startIn: 0, paid: false },
      { do: 'advance', days: 8, hours: 15 },
      { do: 'advance', days: 12, hours: 1 },
      { do: 'payLate', nth: 3 },
      { do: 'advance', days: 15, hours: 3 },
      { do: 'change', nth: 0, plan: 6, effective: 2, preview: false },
      { do: 'pay', nth: 3 },
      { do: 'change', nth: 7, plan: 0, effective: 1, preview: false },
    ],
  },
  {
    title: 'a plan that was to come begins with the period after a rest',
    steps: [
      { do: 'crash', kept: 3 },
      { do: 'change', nth: 8, plan: 6, effective: 2, preview: false },
      { do: 'pause', nth: 4 },
      { do: 'advance', days: 14, hours: 14 },
      { do: 'advance', days: 17, hours: 19 },
      { do: 'resume', nth: 0 },
    ],
  },
  {
    title: 'a retry by hand of what was left behind makes nobody late when it fails',
    steps: [
      { do: 'create', plan: 4, method: 0, card: 0, coupon: 5, customer: 0, startIn: 0, paid: false },
      { do: 'payLate', nth: 1 },
      { do: 'advance', days: 16, hours: 3 },
      { do: 'resume', nth: 1 },
      { do: 'reset' },
      { do: 'retry', nth: 1, means: 2 },
      { do: 'advance', days: 14, hours: 5 },
    ],
  },
  {
    title: 'a late answer about the card of before does not undo that the payer chose PIX',
    steps: [
      { do: 'create', plan: 3, method: 2, card: 4, coupon: 1, customer: 2, startIn: 0, paid: true },
      { do: 'advance', days: 15, hours: 23 },
      { do: 'resume', nth: 1 },
      { do: 'retry', nth: 8, means: 5 },
      { do: 'advance', days: 10, hours: 8 },
      { do: 'retry', nth: 3, means: 1 },
      { do: 'crash', kept: 2 },
      { do: 'payLate', nth: 3 },
    ],
  },
  {
    title: 'dunning goes on that the answer to a retry makes due after a crash',
    steps: [
      { do: 'advance', days: 5, hours: 14 },
      { do: 'policy', policy: 4 },
      { do: 'create', plan: 0, method: 2, card: 3, coupon: 0, customer: 1, startIn: 0, paid: true },
      { do: 'retry', nth: 7, means: 2 },
      { do: 'advance', days: 1, hours: 16 },
      { do: 'crash', kept: 2 },
    ],
  },
  {
    title: 'a resumed subscription without cycles left shows its last invoice as it is',
    steps: [
      { do: 'advance', days: 18, hours: 3 },
      { do: 'create', plan: 5, method: 1, card: 5, coupon: 1, customer: 0, startIn: 0, paid: false },
      { do: 'advance', days: 17, hours: 18 },
      { do: 'advance', days: 12, hours: 7 },
      { do: 'payLate', nth: 6 },
      { do: 'advance', days: 6, hours: 20 },
      { do: 'advance', days: 12, hours: 8 },
      { do: 'advance', days: 16, hours: 15 },
      { do: 'advance', days: 13, hours: 18 },
      { do: 'advance', days: 14, hours: 23 },
      { do: 'resume', nth: 3 },
    ],
  },
]
