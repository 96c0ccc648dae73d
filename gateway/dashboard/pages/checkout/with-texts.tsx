import { ownTexts } from '../../parts/with-texts.tsx'
import type { CheckoutTexts } from '../../texts/checkout-pt.ts'

/** The texts of the checkout's pages, once one of them is shown. */
export let say: CheckoutTexts

/** A page of the checkout's settings, with its texts. */
export const { withTexts } = ownTexts(
  {
    en: async (): Promise<CheckoutTexts> => (await import('../../texts/checkout-en.ts')).checkoutEn,
    'pt-BR': async () => (await import('../../texts/checkout-pt.ts')).checkoutPt,
  },
  (texts) => {
    say = texts
  },
)
