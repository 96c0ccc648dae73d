import type { Key } from '../../../engine/companies/api-key.ts'
import type { Company, CompanyChanges } from '../../../engine/companies/company.ts'
import type { Directory } from '../../../engine/companies/directory.ts'
import { isEnrolled, membershipIn, membersOf } from '../../../engine/people/person.ts'
import { dateIn } from '../../../engine/shared/calendar.ts'
import type { CompanyId, Environment } from '../../../engine/shared/ids.ts'
import type { Asker } from '../../identity/asked.ts'
import { refuseAs } from '../../problems/refusal.ts'
import { branding, companyProfile, goLiveChecklist } from '../../resources/account/company.ts'
import { confirmed } from '../confirmed.ts'
import { connectionSteps, type GoLiveTools } from '../connections/go-live.ts'
import { type Input, type Operations, operationsOn, requiredEnvironmentOf, taking } from '../input.ts'
import type { OperationsOptions } from '../operation-options.ts'
import { changingBranding } from './checkout-branding.ts'
import { companyChanges, profileMembers } from './company-input.ts'
import { companyAt } from './company-operations.ts'
import { logoOf } from './logo.ts'

type Options = GoLiveTools &
  Pick<OperationsOptions, 'directory' | 'commit' | 'confirm' | 'accounts' | 'realNow'>

/** The operations of a company's own people on its profile; operators brand its pages, too. Products and fees are for operators alone. */
export const companyProfileOperations = (options: Options): Operations =>
  operationsOn(options, {
    'company get': taking(place, getProfile),
    'company checklist': taking(place, getChecklist),
    'company branding': taking([...place, 'companyId'], getBranding),
    'company update': taking([...place, ...profileMembers, 'bankAccount', 'city', 'address'], updateProfile),
    'company logo': taking([...place, 'image'], setLogo),
    'company checkout': changingBranding('company'),
    'companies checkout': changingBranding('id'),
  })

const place = ['company', 'environment']

const getProfile = async ({ directory, realNow }: Options, input: Input): Promise<object> =>
  companyProfile.view(companyAt(directory, input, 'company'), realNow())

/** A company without a logo looks like one that does not exist, because strangers ask. */
const getBranding = async ({ directory }: Options, { companyId }: Input): Promise<object> =>
  branding.view(directory.companies.get(companyId as CompanyId)?.logo ?? null)

/** What a company can do itself before it takes payments in an environment, and what of it is done. */
const getChecklist = async (options: Options, input: Input): Promise<object> => {
  const { directory, realNow } = options
  const { people, keys, endpoints } = directory
  const company = companyAt(directory, input, 'company')
  const environment = requiredEnvironmentOf(input)
  const isOwn = (of: { readonly companyId: CompanyId; readonly environment: Environment }): boolean =>
    of.companyId === company.id && of.environment === environment
  const works = ({ revokedAtMs, expiresAtMs }: Key): boolean =>
    revokedAtMs === null && (expiresAtMs === null || expiresAtMs > realNow())
  const joined = membersOf(people, company.id).filter(
    ({ roles, personId }) => roles[environment] !== null && isEnrolled(people.persons.get(personId)!),
  )
  return goLiveChecklist.view([
    ...(environment === 'PRODUCTION' ? connectionSteps(options, company.id) : []),
    ['KEY', [...keys.values()].some((key) => isOwn(key) && works(key))],
    [
      'ENDPOINT',
      [...endpoints.values()].some(
        (endpoint) => isOwn(endpoint) && endpoint.deletedAtMs === null && endpoint.hearsAfter !== null,
      ),
    ],
    ['SECOND_PERSON', joined.length > 1],
    ['CONTACT', company.email !== null && company.phone !== null],
    ['ADDRESS', company.address !== null],
    ['BANK_ACCOUNT', company.bankAccount !== null || company.pendingBankAccount !== null],
    ['LOGO', company.logo !== null],
  ])
}

/** Changes the profile. The bank account requires an owner and a second factor, and counts a day later. */
const updateProfile = async (options: Options, input: Input, by: Asker): Promise<object> => {
  const { directory, realNow, commit, accounts } = options
  const { id } = companyAt(directory, input, 'company')
  const isBankAccount = input.bankAccount !== undefined
  if (isBankAccount) refuseUnlessOwner(directory, by, id)
  const decide = () => {
    const company = companyAt(directory, input, 'company')
    const atMs = realNow()
    const changes = companyChanges(company, input, null, dateIn(company.timeZone, atMs), atMs)
    return isEmpty(changes) ? null : ({ type: 'CompanyChanged', id, changes, atMs } as const)
  }
  await (isBankAccount ? confirmed(options, by, decide) : commit(decide, by))
  await accounts.open(id)
  return companyProfile.view(directory.companies.get(id)!, realNow())
}

const setLogo = async ({ directory, commit, realNow }: Options, input: Input, by: Asker): Promise<object> => {
  const { id } = companyAt(directory, input, 'company')
  const logo = input.image === null ? null : logoOf(input.image)
  await commit(() => {
    const { logo: before } = directory.companies.get(id)!
    return before?.base64 === logo?.base64
      ? null
      : { type: 'CompanyChanged', id, changes: { logo }, atMs: realNow() }
  }, by)
  return companyProfile.view(directory.companies.get(id)!, realNow())
}

const isEmpty = (changes: CompanyChanges): boolean => Object.keys(changes).length === 0

/** The role in Production decides about the company as a whole. */
const refuseUnlessOwner = (
  { people }: Directory,
  { kind, personId }: Asker,
  companyId: Company['id'],
): void => {
  if (kind === 'OPERATOR') return
  const membership = personId === null ? null : membershipIn(people, personId, companyId)
  if (membership?.roles.PRODUCTION !== 'OWNER') refuseAs('NO_PERMISSION', { requiredRole: 'OWNER' })
}
