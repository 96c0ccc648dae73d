// Routes of subscriptions. Here is the product that a way of collecting needs; the other files are one route or
// two each.
import type { BillingMethod } from '../../../../engine/billing/catalog/plan.ts'
import { type Company, isActive } from '../../../../engine/companies/company.ts'
import type { Environment } from '../../../../engine/shared/ids.ts'
import type { Product } from '../../../../engine/shared/product.ts'

const productOf: Readonly<Record<BillingMethod, Product>> = {
  PIX: 'PIX',
  BOLETO: 'BOLETO',
  CREDIT_CARD: 'CARD',
}

/**
 * Collecting by a method also needs that method's product (decisions, section 2). Returns the product if it is not active,
 * otherwise null.
 */
export const missingProduct = (
  method: BillingMethod | null,
  company: Company,
  environment: Environment,
): Product | null => {
  if (method === null) return null
  const product = productOf[method]
  return isActive(company, environment, product) ? null : product
}
