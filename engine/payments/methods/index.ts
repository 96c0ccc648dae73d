/**
 * The registry of payment methods. Each is one value with its own terms, decisions, facts, bookings and refund
 * rules.
 */
import type { ChargeOrigin, Method } from '../../shared/method.ts'
import { otherProducts, type Product } from '../../shared/product.ts'
import type { PaymentRail } from '../../shared/rail.ts'
import type { Family } from '../transaction/family.ts'
import { boletoMethod } from './boleto/method.ts'
import { creditCard, debitCard } from './card/method.ts'
import { crypto } from './crypto/method.ts'
import type { PaymentMethod } from './method.ts'
import { pixMethod } from './pix/method.ts'

// These imports keep the types that each method registers: emitted declarations drop an import used only as a value.
import './boleto/method.ts'
import './card/method.ts'
import './crypto/method.ts'
import './pix/method.ts'

/** Every payment method, in the order in which the API lists them. */
export const methods: { readonly [Name in Method]: PaymentMethod<Name> } = {
  PIX: pixMethod,
  BOLETO: boletoMethod,
  CREDIT_CARD: creditCard,
  DEBIT_CARD: debitCard,
  CRYPTO: crypto,
}

export const methodNames = Object.keys(methods) as readonly Method[]

/** The rails that bring money in. */
export const paymentRails: readonly PaymentRail[] = [
  ...new Set(methodNames.map((name) => methods[name].rail)),
]

/** What merchants activate. */
export const products: readonly Product[] = [...paymentRails, ...otherProducts]

/** The method of a charge, typed so that it accepts that charge's own data. */
export const methodOf = ({ method }: { readonly method: Method }): PaymentMethod<Method> =>
  methods[method] as unknown as PaymentMethod<Method>

/** The route family that finds a transaction by id; null when none does (decisions, section 1). */
export const familyOf = (charge: { readonly method: Method; readonly origin: ChargeOrigin }): Family | null =>
  methodOf(charge).familyOf(charge.origin)
