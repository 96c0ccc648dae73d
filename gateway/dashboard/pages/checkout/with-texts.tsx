import { ownTexts } from '../../parts/with-texts.tsx'
import type { CheckoutTexts } from '../../texts/checkout-pt.ts'

/** The texts of the checkout's pages, once one of them is shown. */
export let say: CheckoutTexts

/** A page of the checkout's settings, with its texts. */
export const { withTexts } = ownTexts(
  async (tag): Promise<CheckoutTexts> =>
    tag === 'en'
      ? (await import('../../texts/checkout-en.ts')).checkoutEn
      : (await import('../../texts/checkout-pt.ts')).checkoutPt,
  (texts) => {
    say = texts
  },
)
