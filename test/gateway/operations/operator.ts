import { randomBytes } from 'node:crypto'
import type { DirectoryFact } from '../../../engine/companies/directory.ts'
import { evolveDirectory, newDirectory } from '../../../engine/companies/evolve.ts'
import type { Roles } from '../../../engine/people/permission.ts'
import type { ConnectionId, KeyId, MembershipId, PersonId } from '../../../engine/shared/ids.ts'
import { newEndpointHeaders, unsealEndpointSecret } from '../../../gateway/base/seal.ts'
import { type Asker, type CommitBy, operatorAsks } from '../../../gateway/identity/asked.ts'
import type { KeySighting } from '../../../gateway/identity/key-usage.ts'
import { openPersonalTexts, sealedKeyIn } from '../../../gateway/identity/personal-texts.ts'
import { openAccounts } from '../../../gateway/operations/accounts.ts'
import { openRails } from '../../../gateway/operations/connections/rails.ts'
import { openOperations } from '../../../gateway/operator/operations.ts'
import { newHookToken } from '../../../gateway/providers/connection-settings.ts'
import { openProviderHttp } from '../../../gateway/providers/http/http.ts'
import { triedConnection } from '../../../gateway/providers/rail-connections.ts'
import { withAudit } from '../../../gateway/trail/audit-draft.ts'
import { newAuditTrail } from '../../../gateway/trail/audit-trail.ts'
import { type Address, vetEndpointUrl } from '../../../gateway/webhooks/address.ts'
import { aCompany, aMember } from '../../engine/companies/entries.ts'
import { handlerFrom } from '../../engine/handler.ts'
import { companyId, opened, seeded } from '../../engine/world.ts'
import { noPages } from '../no-pages.ts'
import { aMadeUpBank } from '../providers/made-up-bank.ts'

/** An operator of a company whose Sandbox account is the world's: its clock and its disk are the test's. */
export const newOperator = async (bank = aMadeUpBank()) => {
  const world = await opened()
  const directory = newDirectory()
  const facts: DirectoryFact[] = []
  const masterKey = randomBytes(32)
  const personal = openPersonalTexts(masterKey, sealedKeyIn(directory))
  const trail = newAuditTrail({ directory, personal })
  const commit: CommitBy = async (decide, by) => {
    const decided = decide()
    if (decided === null) return
    const fact = withAudit({ directory, personal }, decided, by, world.now())
    facts.push(fact)
    evolveDirectory(directory, fact)
    trail.apply(fact, facts.length)
  }
  const company = aCompany({ id: companyId })
  await commit(() => ({ type: 'CompanyCreated', company }))
  const hooks = {
    onAsk: (): void => undefined,
    /** What is asked for a second factor; it refuses by throwing. */
    onConfirm: (_: Asker): void => undefined,
  }
  const uses = new Map<KeyId, KeySighting>()
  const shards = handlerFrom({
    execute: world.execute,
    query: async (query) => {
      hooks.onAsk()
      let isAnswered = false
      const answer = world.shard.query(query).finally(() => {
        isAnswered = true
      })
      while (!isAnswered) {
        await world.settle()
        await new Promise(setImmediate)
      }
      return answer
    },
  })
  const addresses: Address[] = [{ address: '93.184.216.34', family: 4 }]
  const accounts = openAccounts({
    directory,
    router: shards,
    commit,
    realNow: world.now,
    onTrouble: (error) => {
      throw error
    },
  })
  const modules = { [bank.module.name]: bank.module }
  const faults: string[] = []
  /** When it was said that a restore has stopped a connection. */
  const stopped: number[] = []
  const tools = {
    ...{ modules, masterKey, realNow: world.now, timeout: () => () => undefined, openHttp: openProviderHttp },
    onFault: (error: unknown) => faults.push((error as Error).message),
  }
  const railsOptions = {
    ...{ directory, router: shards, accounts, commit, realNow: world.now },
    ownership: async () => () => true,
    madeAnew: (id: ConnectionId) => ({ sealedHookToken: newHookToken(id, seeded(2), masterKey) }),
    onStopped: () => void stopped.push(world.now()),
    pause: () => new Promise<never>(() => undefined),
    onTrouble: (error: unknown) => faults.push((error as Error).message),
  }
  const operations = openOperations({
    directory,
    commit,
    modules,
    rails: openRails(railsOptions),
    watch: { standingOf: () => null, note: () => undefined },
    hasNoticePort: true,
    tryConnection: (connection, credentials) => triedConnection(tools, connection, credentials),
    confirm: async (by) => hooks.onConfirm(by),
    keyUses: { current: async () => uses },
    keyLog: async () => [],
    accounts,
    router: shards,
    realNow: world.now,
    entropy: seeded(1),
    randomBytes,
    masterKey,
    personal,
    pagesOf: noPages,
    readEndpointUrl: (text, environment) => vetEndpointUrl(text, environment, async () => addresses),
  })
  const operate = (name: string, input: object = {}, by: Asker = operatorAsks): Promise<any> => {
    const operation = operations[name]
    if (operation === undefined) throw new Error(`there is no ${name}`)
    return operation(input as Record<string, unknown>, { ...by, operation: name })
  }
  return {
    world,
    bank,
    faults,
    stopped,
    railsOptions,
    tools,
    hooks,
    directory,
    commit,
    trail,
    personal,
    facts,
    uses,
    learn: (fact: DirectoryFact): void => void evolveDirectory(directory, fact),
    company,
    /** What every host name leads to. */
    addresses,
    operate,
    /** An endpoint of the Sandbox, at whatever the change says. */
    endpoint: (change: object = {}): Promise<any> =>
      operate('webhooks create', {
        company: companyId,
        environment: 'sandbox',
        url: 'https://example.com/hook',
        ...change,
      }),
    masterKey,
    /** The headers of its own that attempts send. */
    headersOf: (id: string) => newEndpointHeaders(masterKey)(directory.endpoints.get(id as never)!),
    /** The secret that attempts are signed with. */
    secretOf: (id: string): string =>
      unsealEndpointSecret(directory.endpoints.get(id as never)!.sealedSecret, id as never, masterKey),
  }
}
export type Operator = Awaited<ReturnType<typeof newOperator>>

/** A person of that company who asks as the pipeline has them ask, by default about the Sandbox. */
export const newPerson = async (roles: Roles, bank = aMadeUpBank()) => {
  const operator = await newOperator(bank)
  const personId = 'per_1' as PersonId
  for (const fact of aMember(operator.company.id, personId, 'mbr_1' as MembershipId, roles))
    operator.learn(fact)
  const by: Asker = { ...operatorAsks, kind: 'PERSON', personId }
  const place = { company: operator.company.id, environment: 'SANDBOX' }
  const does = (name: string, input: object = {}) => operator.operate(name, { ...place, ...input }, by)
  return { ...operator, does, by }
}

/** Why it was refused. */
export const refusal = (
  promise: Promise<unknown>,
): Promise<{ code?: string; message: string; extra?: object }> =>
  promise.then(
    () => ({ message: 'it was not refused' }),
    (error: Error) => error,
  )
