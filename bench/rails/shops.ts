import { join } from 'node:path'
import { cnpj } from '../charge-body.ts'
import type { Cleanup } from '../cleanup.ts'
import { type Child, startChild, until } from '../processes.ts'
import type { Random } from '../random.ts'
import { operate } from '../service.ts'
import type { Company } from '../target.ts'

/** What the bank of the bench says when it has started. */
export type BenchBank = {
  readonly url: string
  readonly deadUrl: string
  readonly authority: string
  readonly cert: string
  readonly key: string
  readonly child: Child
}

/** A company with keys of both environments, connected to the bank in Production. */
export type RailShop = { readonly sandbox: Company; readonly live: Company }

/** Starts a bank that takes so long for each charge. */
export const startBank = async (cleanup: Cleanup, waitMs: number): Promise<BenchBank> => {
  const program = join(import.meta.dirname, 'bank.js')
  const child = startChild(cleanup, [process.execPath, program, String(waitMs)])
  await until(child, () => child.output().includes('\n'))
  return { ...JSON.parse(child.output()), child }
}

/** Opens a company at a running service, whose bank is the living one or the dead one. */
export const openShop = async (
  dataDir: string,
  bank: BenchBank,
  random: Random,
  isDead = false,
): Promise<RailShop> => {
  const { id: company } = await operate(dataDir, 'companies create', {
    name: 'Loja do Bench',
    document: cnpj(random),
  })
  const keyOf = async (environment: string): Promise<Company> => {
    const { secret } = await operate(dataDir, 'keys create', { company, environment })
    return { id: company!, secret: secret! }
  }
  const url = isDead ? bank.deadUrl : bank.url
  const { id } = await operate(dataDir, 'connections create', {
    company,
    environment: 'production',
    provider: 'efi',
    settings: {
      clientId: 'bench',
      clientSecret: 'secret-of-the-bench',
      pixKey: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
      merchantName: 'Loja do Bench',
      merchantCity: 'Sao Paulo',
      certificate: bank.cert,
      privateKey: bank.key,
      serverAuthority: bank.authority,
      apiAddress: url,
      tokenAddress: `${url}/oauth/token`,
    },
  })
  await operate(dataDir, 'connections verify', { id })
  await operate(dataDir, 'connections activate', { id })
  return { sandbox: await keyOf('sandbox'), live: await keyOf('production') }
}
