import type { ChargeOrigin, Method } from '../../shared/method.ts'
import type { Family } from '../transaction/family.ts'
import { boleto } from './boleto/method.ts'
import { creditCard, debitCard } from './card/method.ts'
import { crypto } from './crypto/method.ts'
import type { PaymentMethod } from './method.ts'
import { pix } from './pix/method.ts'

// What each adds to the types of charges: declarations leave out an import that is of a value alone.
import './boleto/method.ts'
import './card/method.ts'
import './crypto/method.ts'
import './pix/method.ts'

/** Every payment method. Stored columns say a method by its place here: a new one comes last. */
export const methods: { readonly [Name in Method]: PaymentMethod<Name> } = {
  PIX: pix,
  BOLETO: boleto,
  CREDIT_CARD: creditCard,
  DEBIT_CARD: debitCard,
  CRYPTO: crypto,
}

export const methodNames = Object.keys(methods) as readonly Method[]

/** The method of a charge. What it is given of a charge is that charge's own. */
export const methodOf = ({ method }: { readonly method: Method }): PaymentMethod<Method> =>
  methods[method] as unknown as PaymentMethod<Method>

/** Which routes find a transaction by its id; null where none do (decisions, section 1). */
export const familyOf = (charge: { readonly method: Method; readonly origin: ChargeOrigin }): Family | null =>
  methodOf(charge).familyOf(charge.origin)
