import type { PaymentRail } from './rail.ts'

/** Products that are no rail. */
export const otherProducts = ['RECURRING', 'SPLIT', 'CHECKOUT'] as const

/** What a merchant activates. `engine/payments/methods/index.ts` lists them all. */
export type Product = PaymentRail | (typeof otherProducts)[number]
