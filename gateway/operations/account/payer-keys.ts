import type { Company } from '../../../engine/companies/company.ts'
import type { Directory } from '../../../engine/companies/directory.ts'
import {
  keysToDestroy,
  type PayerKey,
  payerKeysOf,
  yearsToSeal,
} from '../../../engine/companies/payer-key.ts'
import { seal, unseal } from '../../base/seal.ts'
import { type CommitBy, clockAsks } from '../../identity/asked.ts'

export type PayerKeysOptions = {
  readonly directory: Directory
  readonly commit: CommitBy
  readonly masterKey: Buffer
  readonly randomBytes: (count: number) => Buffer
  readonly realNow: () => number
}

/**
 * Makes the keys that a company needs which forgets its payers. Once it resolves every node knows them. Each node
 * asks, and the first one makes them.
 */
export const makePayerKeys = async (
  { directory, commit, masterKey, randomBytes, realNow }: PayerKeysOptions,
  { id: companyId }: Pick<Company, 'id'>,
): Promise<void> => {
  const hasKey = (year: number): boolean =>
    payerKeysOf(directory.payerKeys, companyId).some((key) => key.year === year)
  for (const year of yearsToSeal(realNow())) {
    if (hasKey(year)) continue
    await commit(() => {
      if (hasKey(year)) return null
      const sealedKey = seal(randomBytes(32).toString('base64url'), masterKey, ownerOf({ companyId, year }))
      const number = directory.payerKeys.size + 1
      return { type: 'PayerKeyMade', key: { number, companyId, year, sealedKey }, atMs: realNow() }
    })
  }
}

/** Makes keys for years to come, and destroys those whose time has come. Run it from time to time. */
export const turnPayerKeys = async (options: PayerKeysOptions): Promise<void> => {
  const { directory, commit, realNow } = options
  const due = (company: Company): PayerKey | undefined =>
    keysToDestroy(directory.payerKeys, company, realNow())[0]
  for (const { id } of [...directory.companies.values()].filter(forgets)) {
    await makePayerKeys(options, { id })
    while (due(directory.companies.get(id)!) !== undefined)
      await commit(() => {
        const key = due(directory.companies.get(id)!)
        return key === undefined ? null : { type: 'PayerKeyDestroyed', number: key.number, atMs: realNow() }
      }, clockAsks('payers forget'))
  }
}

const forgets = ({ forgetPayersAfterYears }: Company): boolean => forgetPayersAfterYears !== null

/** The key itself. */
export const unsealPayerKey = (
  { sealedKey, companyId, year }: PayerKey & { readonly sealedKey: string },
  masterKey: Buffer,
): Buffer => Buffer.from(unseal(sealedKey, masterKey, ownerOf({ companyId, year })), 'base64url')

const ownerOf = ({ companyId, year }: Pick<PayerKey, 'companyId' | 'year'>): string =>
  `payer-key ${companyId} ${year}`
