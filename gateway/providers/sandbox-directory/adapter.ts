import type { KeyOwner } from '../../../engine/money-out/lookups/key-lookup.ts'
import { triggerKeys } from '../../../engine/sandbox/scenarios.ts'
import { readDocument } from '../../../engine/shared/documents.ts'
import { fnv1a } from '../../../engine/shared/hash.ts'
import type { ProviderAsk, ProviderModule, ProviderOutcome } from '../port.ts'
import { doneAs, opened, refusedWith, sandboxBase, saysNothing } from '../sandbox/answers.ts'

/**
 * The Sandbox's directory of PIX keys: every key is found, unless it is a trigger (dashboard, section 2.5). A CPF or CNPJ is its own
 * owner's, and the owner of any other key follows from the key.
 */
export const sandboxDirectory: ProviderModule = {
  name: 'sandbox-directory',
  label: 'Sandbox directory',
  rails: ['KEYS'],
  ...sandboxBase,
  repeat: { LOOKUP_KEY: 'SAFE' },
  capabilities: {},
  open: opened((ask) =>
    ask.operation === 'LOOKUP_KEY'
      ? lookUp(ask, ask.data.pixKey)
      : refusedWith('a directory only finds keys'),
  ),
}

const lookUp = (ask: ProviderAsk, pixKey: string): ProviderOutcome => {
  if (pixKey === triggerKeys.unknown) return refusedWith('nobody has this key', { reason: 'KEY_NOT_FOUND' })
  if (pixKey === triggerKeys.unanswered) return saysNothing
  return doneAs(ask, { kind: 'KEY', owner: ownerOf(pixKey) })
}

const ownerOf = (pixKey: string): KeyOwner => {
  const number = fnv1a(pixKey) >>> 0
  const [name, invented] = owners[number % owners.length]!
  const [ispb, bankName] = banks[number % banks.length]!
  const { document, documentType } = readDocument(pixKey) ?? readDocument(invented)!
  const accountType = number % 2 === 0 ? 'CHECKING' : 'PAYMENT'
  return { name, document, documentType, ispb, bankName, accountType, ownedSinceMs: ownedSince }
}

const ownedSince = Date.UTC(2021, 2, 15, 12)

/** Names with documents whose check digits are right. Odd in number, so that owner and bank vary apart. */
const owners: readonly (readonly [name: string, document: string])[] = [
  ['Marina Alves Prado', '52998224725'],
  ['Comercial Aurora Ltda', '11222333000181'],
  ['João Pedro Nogueira', '11144477735'],
  ['Oficina Boa Vista ME', '11444777000161'],
  ['Teresa Lima Campos', '12345678909'],
]

const banks: readonly (readonly [ispb: string, name: string])[] = [
  ['00000000', 'Banco do Brasil S.A.'],
  ['60701190', 'Itaú Unibanco S.A.'],
  ['18236120', 'Nu Pagamentos S.A.'],
  ['00360305', 'Caixa Econômica Federal'],
]
