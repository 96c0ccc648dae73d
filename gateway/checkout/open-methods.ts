import type { CheckoutMethod, Offer } from '../../engine/checkout/offer.ts'
import { type Company, isActive } from '../../engine/companies/company.ts'
import { methods } from '../../engine/payments/methods/index.ts'
import type { Environment } from '../../engine/shared/ids.ts'

/** The methods of an offer whose products the company still has. */
export const openMethods = (
  offer: Pick<Offer, 'methods'>,
  company: Company,
  environment: Environment,
): readonly CheckoutMethod[] =>
  offer.methods.filter((method) => isActive(company, environment, methods[method].rail))

/** Those of them that a form may choose now: where cards are refused for a while, a card is not among them. */
export const takenMethods = (
  { tokenizer }: { readonly tokenizer: string | null },
  offer: Pick<Offer, 'methods'>,
  company: Company,
  environment: Environment,
): readonly CheckoutMethod[] =>
  openMethods(offer, company, environment).filter((method) => method !== 'CREDIT_CARD' || tokenizer !== null)
