import { plainBranding } from '../../../engine/companies/checkout-branding.ts'
import {
  type Company,
  type CompanyChanges,
  initialStates,
  type ProductStates,
} from '../../../engine/companies/company.ts'
import type { Directory } from '../../../engine/companies/directory.ts'
import { forgetAfterYearsMax, forgetAfterYearsMin } from '../../../engine/companies/payer-key.ts'
import { defaultFees } from '../../../engine/ledger/fees.ts'
import { products } from '../../../engine/payments/methods/index.ts'
import { dateIn } from '../../../engine/shared/calendar.ts'
import { differing } from '../../../engine/shared/differing.ts'
import { readDocument } from '../../../engine/shared/documents.ts'
import { type CompanyId, type Environment, newId } from '../../../engine/shared/ids.ts'
import type { Asker } from '../../identity/asked.ts'
import { absent, refuseInvalid } from '../../problems/refusal.ts'
import { companyView } from '../../resources/account/company.ts'
import {
  type Input,
  numberOf,
  type OperationOn,
  type Operations,
  operationsOn,
  optionalEnvironmentOf,
  readText,
  taking,
  timeZoneOf,
} from '../input.ts'
import type { OperationsOptions } from '../operation-options.ts'
import {
  addressOf,
  cityOf,
  companyChanges,
  feesOf,
  nameOf,
  productsOf,
  profileMembers,
  profileOfInput,
} from './company-input.ts'
import { makePayerKeys, type PayerKeysOptions } from './payer-keys.ts'

type Options = PayerKeysOptions & Pick<OperationsOptions, 'accounts' | 'entropy'>

/** The operations on companies: their accounts, products and fees. */
export const companyOperations = (options: Options): Operations =>
  operationsOn(options, {
    'companies create': taking([...changeable, 'document', 'timezone'], createCompany),
    'companies list': taking([], async ({ directory }) => ({
      object: 'list',
      data: [...directory.companies.values()].map(companyView),
    })),
    'companies get': taking(['id'], async ({ directory }, input) =>
      companyView(companyAt(directory, input, 'id')),
    ),
    'companies update': taking(['id', 'environment', ...changeable], updateCompany),
    'companies forget-payers': taking(['id', 'years'], forgetPayers),
    'companies suspend': taking(['id'], setSuspended(true)),
    'companies resume': taking(['id'], setSuspended(false)),
  })

const changeable = [...profileMembers, 'city', 'address', 'products', 'fees']

const createCompany = async (options: Options, input: Input, by: Asker): Promise<object> => {
  const { realNow, entropy, commit } = options
  const document = readDocument(readText(input, 'document'))
  if (document === null || document.documentType !== 'CNPJ') refuseInvalid('document must be a valid CNPJ')
  const { name, city = 'São Paulo', address = null, products: active, fees } = input
  const states = (environment: Environment) =>
    active === undefined ? initialStates(environment) : { ...allDisabled, ...productsOf(active) }
  const place = { city: cityOf(city), address: null }
  const timeZone = timeZoneOf(input)
  const atMs = realNow()
  const effectiveFrom = dateIn(timeZone, atMs)
  const company: Company = {
    id: newId('cmp', atMs, entropy),
    name: nameOf(name),
    tradeName: null,
    document: document.document,
    companyType: 'OTHER',
    email: null,
    phone: null,
    website: null,
    statementDescriptor: null,
    ...profileOfInput(input),
    logo: null,
    checkout: plainBranding,
    bankAccount: null,
    pendingBankAccount: null,
    pendingTimeZone: null,
    city: place.city,
    address: addressOf(address, place),
    timeZone,
    products: { SANDBOX: states('SANDBOX'), PRODUCTION: states('PRODUCTION') },
    fees: fees === undefined ? defaultFees : { ...feesOf(fees, defaultFees), effectiveFrom },
    forgetPayersAfterYears: null,
    revision: 1,
    suspendedAtMs: null,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }
  await commit(() => ({ type: 'CompanyCreated', company }), by)
  return viewWithAccounts(options, company.id, 'OPENING')
}

const updateCompany = async (options: Options, input: Input, by: Asker): Promise<object> => {
  const { directory, commit, realNow } = options
  const { id } = companyAt(directory, input, 'id')
  const environment = optionalEnvironmentOf(input)
  await commit(() => {
    const company = companyAt(directory, input, 'id')
    const atMs = realNow()
    const changes = companyChanges(company, input, environment, dateIn(company.timeZone, atMs), atMs)
    return Object.keys(changes).length === 0 ? null : { type: 'CompanyChanged', id, changes, atMs }
  }, by)
  return viewWithAccounts(options, id, 'UPDATING')
}

/** Sets after how many years payers are forgotten. The keys are made first: no entry is sealed with one that a node does not know. */
const forgetPayers = async (options: Options, input: Input, by: Asker): Promise<object> => {
  const { directory, commit, realNow } = options
  const { id } = companyAt(directory, input, 'id')
  const forgetPayersAfterYears =
    input.years === 'off' ? null : numberOf(input.years, 'years', forgetAfterYearsMin, forgetAfterYearsMax)
  if (forgetPayersAfterYears !== null) await makePayerKeys(options, { id })
  await commit(() => {
    const company = companyAt(directory, input, 'id')
    const changes = differing<CompanyChanges>(company, { forgetPayersAfterYears })
    return Object.keys(changes).length === 0 ? null : { type: 'CompanyChanged', id, changes, atMs: realNow() }
  }, by)
  return {
    ...(await viewWithAccounts(options, id, 'UPDATING')),
    note: forgetPayersAfterYears === null ? nothingForgotten : forgottenWhileOn,
  }
}

const forgottenWhileOn = 'holds for what is recorded while it is on; what was recorded before stays readable'
const nothingForgotten = 'nothing more is forgotten; what is forgotten already stays so'

/** Once it answers, this node refuses the keys of a suspended company; other nodes follow in less than a second. */
const setSuspended =
  (suspends: boolean): OperationOn<Options> =>
  async ({ directory, commit, realNow }, input, by) => {
    const { id } = companyAt(directory, input, 'id')
    const type = suspends ? 'CompanySuspended' : 'CompanyResumed'
    await commit(() => {
      const isSuspended = directory.companies.get(id)!.suspendedAtMs !== null
      return isSuspended === suspends ? null : { type, id, atMs: realNow() }
    }, by)
    return companyView(directory.companies.get(id)!)
  }

/**
 * Shows a company, with `otherwise` as a warning if its accounts are not open yet because their shard is recovering or has no
 * owner.
 */
const viewWithAccounts = async (
  { accounts, directory }: Options,
  id: CompanyId,
  otherwise: string,
): Promise<object> => {
  const isOpen = await accounts.open(id)
  return { ...companyView(directory.companies.get(id)!), ...(!isOpen && { accounts: otherwise }) }
}

/** The company that a member of the input names. */
export const companyAt = ({ companies }: Directory, input: Input, member: string): Company => {
  const id = readText(input, member) as CompanyId
  return companies.get(id) ?? absent(`there is no company ${id}`)
}

const allDisabled = Object.fromEntries(products.map((product) => [product, 'DISABLED'])) as ProductStates
