import type { Key } from '../../../engine/companies/api-key.ts'
import { plainBranding } from '../../../engine/companies/checkout-branding.ts'
import type { Company } from '../../../engine/companies/company.ts'
import type { DirectoryFact } from '../../../engine/companies/directory.ts'
import type { Endpoint } from '../../../engine/companies/endpoint.ts'
import { defaultFees } from '../../../engine/ledger/fees.ts'
import type { Roles } from '../../../engine/people/permission.ts'
import type {
  ClientId,
  CompanyId,
  EndpointId,
  InvitationId,
  KeyId,
  MembershipId,
  PersonId,
} from '../../../engine/shared/ids.ts'

const active = {
  CRYPTO: 'ACTIVE',
  PIX: 'ACTIVE',
  CARD: 'ACTIVE',
  BOLETO: 'ACTIVE',
  RECURRING: 'ACTIVE',
  SPLIT: 'ACTIVE',
  CHECKOUT: 'ACTIVE',
} as const
const numbered = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(26, '0')}`

export const aCompany = (change: Partial<Company> = {}): Company => ({
  id: numbered('cmp', 1) as CompanyId,
  name: 'Loja Azul',
  tradeName: null,
  document: '11222333000181',
  companyType: 'OTHER',
  email: null,
  phone: null,
  website: null,
  statementDescriptor: null,
  logo: null,
  checkout: plainBranding,
  bankAccount: null,
  pendingBankAccount: null,
  pendingTimeZone: null,
  city: 'Recife',
  address: null,
  timeZone: 'America/Sao_Paulo',
  products: { SANDBOX: active, PRODUCTION: active },
  fees: defaultFees,
  forgetPayersAfterYears: null,
  revision: 1,
  suspendedAtMs: null,
  createdAtMs: 0,
  updatedAtMs: 0,
  ...change,
})

export const aKey = (n = 1, change: Partial<Key> = {}): Key => ({
  id: numbered('key', n) as KeyId,
  companyId: aCompany().id,
  environment: 'SANDBOX',
  clientId: numbered('cli', n) as ClientId,
  name: 'Servidor',
  secretHash: `hash-${n}`,
  last4: 'abcd',
  scopes: ['charges.create'],
  ipAllowList: [],
  createdBy: null,
  createdAtMs: 0,
  revokedAtMs: null,
  expiresAtMs: null,
  rolledTo: null,
  ...change,
})

export const anEndpoint = (n = 1, change: Partial<Endpoint> = {}): Endpoint => ({
  id: numbered('whk', n) as EndpointId,
  companyId: aCompany().id,
  environment: 'SANDBOX',
  url: 'https://example.com/hook',
  description: null,
  eventTypes: [],
  extraEvents: false,
  signature: 'service',
  headers: [],
  sealedSecret: 'sealed',
  formerSecret: null,
  hearsAfter: 0,
  wasSilenced: false,
  createdAtMs: 0,
  updatedAtMs: 0,
  deletedAtMs: null,
  ...change,
})

/** A person joins a company. */
export const aMember = (
  companyId: CompanyId,
  personId: PersonId,
  membershipId: MembershipId,
  roles: Roles,
): readonly DirectoryFact[] => {
  const id = `ivt_${personId}` as InvitationId
  const email = `${personId.toLowerCase()}@example.com`
  const of = { companyId, roles, createdAtMs: 0 }
  return [
    {
      type: 'InvitationCreated',
      invitation: {
        ...of,
        id,
        sealedKey: null,
        email,
        name: 'Ana',
        tokenHash: '',
        invitedBy: null,
        expiresAtMs: 1,
        status: 'OPEN',
        acceptedBy: null,
      },
      atMs: 0,
    },
    {
      type: 'InvitationAccepted',
      id,
      person: {
        id: personId,
        sealedKey: null,
        email,
        name: 'Ana Souza',
        language: 'pt',
        theme: 'SYSTEM',
        passwordHash: null,
        sealedTotpSecret: 'sealed',
        recoveryCodeHashes: [],
        passkeys: [],
        browsers: [],
        factorFrozenUntilMs: null,
        credentialGeneration: 0,
        createdAtMs: 0,
        updatedAtMs: 0,
      },
      membership: { ...of, id: membershipId, personId, removedAtMs: null },
      atMs: 0,
    },
  ]
}
