import type { CheckoutMethod } from '../../../engine/checkout/offer.ts'
import type { Company } from '../../../engine/companies/company.ts'
import { isByCard } from '../../../engine/payments/methods/card/terms.ts'
import type { PageTexts } from '../texts/pt.ts'
import type { PageLanguage } from '../texts/texts.ts'

/** What every page shows and needs: whose it is, in which language, and where its forms go. */
export type Shown = {
  readonly company: Company
  readonly isTest: boolean
  readonly language: PageLanguage
  readonly texts: PageTexts
  /** The page's own path, `/c/…` or `/l/…`. */
  readonly path: string
  /** Where the company's picture is, if not below the page's own path. */
  readonly home?: string
  /** `?lang=en` where the payer chose a language, else empty. */
  readonly query: string
  readonly nowMs: number
  /** How many bits of work the browser shows with a form; null for none. */
  readonly workBits: number | null
  /** Where the frame for cards is; null where cards cannot be taken. */
  readonly tokenizer: string | null
  /** The origin of the merchant's page that shows this one in a frame; null where none does. */
  readonly embeddedIn: string | null
}

/** The methods that a form may choose: no card where there is no frame for it, or cards are refused for a while. */
export const takenMethods = (
  { tokenizer }: Pick<Shown, 'tokenizer'>,
  methods: readonly CheckoutMethod[],
): readonly CheckoutMethod[] => (tokenizer === null ? methods.filter((method) => !isByCard(method)) : methods)

/** The language of mails and documents to the payer. */
export const mailLanguageOf = ({ language }: Pick<Shown, 'language'>): 'pt' | 'en' =>
  language === 'en' ? 'en' : 'pt'
