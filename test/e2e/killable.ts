import { once } from 'node:events'
import type { Test } from 'tap'
import { newOwner } from './person.ts'
import {
  newDataDir,
  newMerchant,
  oneWorker,
  programOf,
  type Scope,
  type Service,
  startService,
} from './service.ts'

/**
 * A service that kills itself (`killed-main.ts`), for the stories of a file, one after the other: each has an owner of a company of its own, and
 * goes on with what was started again in the one before.
 */
export const shareKillable = (file: Test) => {
  const dataDir = newDataDir(file)
  let owners = 0
  let told = file
  const scope: Scope = {
    teardown: (end) => void file.teardown(end),
    fail: (message) => told.fail(message),
  }
  const start = (): Promise<Service> =>
    startService(scope, {
      dataDir,
      env: { ...oneWorker, RATE_LIMIT: '0' },
      program: programOf('killed-main'),
    })
  let running: Promise<Service> | null = null
  const serviceFor = (t: Test): Promise<Service> => {
    told = t
    running ??= start()
    return running
  }
  return {
    serviceFor,
    withOwner: async (t: Test) => {
      const service = await serviceFor(t)
      const { company } = await newMerchant(service)
      const ana = await newOwner(service, company.id, `ana-${++owners}@example.com`)
      return { service, ana, companyId: company.id }
    },
    /** Has it killed in the middle of a request, when something of this type happens, and starts it again. */
    killedAt: async (t: Test, type: string, request: () => Promise<unknown>): Promise<Service> => {
      const { process } = await serviceFor(t)
      const armed = once(process, 'message')
      process.send!(type)
      await armed
      const ended = once(process, 'exit')
      request().catch(() => undefined)
      t.equal((await ended)[1], 'SIGKILL')
      running = start()
      return running
    },
  }
}
