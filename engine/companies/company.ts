import type { Fees } from '../ledger/fees.ts'
import { products } from '../payments/methods/index.ts'
import type { BankAccount } from '../recipients/recipient.ts'
import type { PostalAddress } from '../shared/address.ts'
import type { BankAccountType } from '../shared/bank-account-type.ts'
import type { CompanyId, Environment } from '../shared/ids.ts'
import type { Product } from '../shared/product.ts'
import type { CheckoutBranding } from './checkout-branding.ts'

export type Company = {
  readonly id: CompanyId
  /** The legal name. */
  readonly name: string
  /** The name that it trades under; null if it has none. */
  readonly tradeName: string | null
  readonly document: string
  readonly companyType: CompanyType
  readonly email: string | null
  readonly phone: string | null
  readonly website: string | null
  /** The text that payers read on their card statements. */
  readonly statementDescriptor: string | null
  readonly logo: Logo | null
  /** What the pages show where payers pay. */
  readonly checkout: CheckoutBranding
  /** The bank account that its money is paid out to. */
  readonly bankAccount: CompanyBankAccount | null
  /** Changes that count later: a thief who redirects the money must not have it at once. Null for none. */
  readonly pendingBankAccount: Pending<CompanyBankAccount | null> | null
  readonly pendingTimeZone: Pending<string> | null
  /** The city that QR codes show. */
  readonly city: string
  readonly address: PostalAddress | null
  /** IANA name. */
  readonly timeZone: string
  readonly products: Readonly<Record<Environment, ProductStates>>
  /** Fees for charges created from now on. */
  readonly fees: Fees
  /**
   * After how many years what was recorded about its payers since is forgotten; null for never. The company's own law and
   * needs decide.
   */
  readonly forgetPayersAfterYears: number | null
  /** Grows with every change, so that an account never replaces a newer profile by an older one. */
  readonly revision: number
  /** While suspended, its keys are answered 401 and due work continues. Null otherwise. */
  readonly suspendedAtMs: number | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export const companyTypes = ['MEI', 'OTHER'] as const
export type CompanyType = (typeof companyTypes)[number]

/** An account in the company's own name. */
export type CompanyBankAccount = BankAccount & { readonly accountType: BankAccountType }

/** A small picture, as base64. */
export type Logo = {
  readonly mediaType: 'image/png' | 'image/jpeg'
  readonly base64: string
  readonly width: number
  readonly height: number
}

/** A value that takes the place of the present one at this time. */
export type Pending<Value> = { readonly value: Value; readonly effectiveAtMs: number }

/** What can be changed about a company. The document is its identity and never changes. */
export type CompanyChanges = Partial<
  Pick<
    Company,
    | 'name'
    | 'tradeName'
    | 'companyType'
    | 'email'
    | 'phone'
    | 'website'
    | 'statementDescriptor'
    | 'logo'
    | 'checkout'
    | 'bankAccount'
    | 'pendingBankAccount'
    | 'timeZone'
    | 'pendingTimeZone'
    | 'city'
    | 'address'
    | 'products'
    | 'fees'
    | 'forgetPayersAfterYears'
  >
>

export type ProductStates = Readonly<Record<Product, ProductState>>

export const productStates = ['ACTIVE', 'PENDING', 'DISABLED'] as const
export type ProductState = (typeof productStates)[number]

/** The states of all products in a new company, unless set at its creation. */
export const initialStates = (environment: Environment): ProductStates =>
  Object.fromEntries(
    products.map((product) => [product, initialState(product, environment)]),
  ) as ProductStates

/**
 * The state of a product in a new company, unless set at its creation. Stablecoins are foreign exchange, so
 * operators switch them on by hand in Production.
 */
const initialState = (product: Product, environment: Environment): ProductState =>
  product === 'CRYPTO' && environment === 'PRODUCTION' ? 'DISABLED' : 'ACTIVE'

/**
 * Whether a product can be used: in Production it must be active, in Sandbox only not disabled (payments-api, General
 * facts).
 */
export const isActive = (company: Company, environment: Environment, product: Product): boolean => {
  const state = company.products[environment][product]
  return environment === 'PRODUCTION' ? state === 'ACTIVE' : state !== 'DISABLED'
}
