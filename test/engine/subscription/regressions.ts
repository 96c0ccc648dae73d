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
]
