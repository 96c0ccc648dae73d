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
