import type { Company, Endpoint, Key } from '../../../engine/directory/directory.ts'
import { defaultFees } from '../../../engine/ledger/fees.ts'
import type { ClientId, CompanyId, EndpointId, KeyId } from '../../../engine/shared/ids.ts'

const active = {
  PIX: 'ACTIVE',
  CARD: 'ACTIVE',
  BOLETO: 'ACTIVE',
  RECURRING: 'ACTIVE',
  SPLIT: 'ACTIVE',
} as const
const numbered = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(26, '0')}`

export const aCompany = (change: Partial<Company> = {}): Company => ({
  id: numbered('cmp', 1) as CompanyId,
  name: 'Loja Azul',
  document: '11222333000181',
  city: 'Recife',
  address: null,
  timeZone: 'America/Sao_Paulo',
  products: { SANDBOX: active, PRODUCTION: active },
  fees: defaultFees,
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
  secretHash: `hash-${n}`,
  last4: 'abcd',
  scopes: ['charges.create'],
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
  sealedSecret: 'sealed',
  hearsAfter: 0,
  wasSilenced: false,
  createdAtMs: 0,
  updatedAtMs: 0,
  deletedAtMs: null,
  ...change,
})
