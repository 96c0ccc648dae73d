import { once } from 'node:events'
import type { Test } from 'tap'
import { newOwner } from './person.ts'
import { newDataDir, newMerchant, oneWorker, programOf, type Service, startService } from './service.ts'

/** The service that kills itself (`killed-main.ts`). */
export const startKillable = (t: Test, dataDir = newDataDir(t)): Promise<Service> =>
  startService(t, {
    dataDir,
    env: { ...oneWorker, RATE_LIMIT: '0' },
    program: programOf('killed-main'),
  })

/** That service with an owner of a company. */
export const startWithOwner = async (t: Test) => {
  const service = await startKillable(t)
  const { company } = await newMerchant(service)
  return { service, ana: await newOwner(service, company.id), companyId: company.id }
}

/** Has it killed in the middle of a request, when something of this type happens, and starts it again. */
export const killedAt = async (
  t: Test,
  service: Service,
  type: string,
  request: () => Promise<unknown>,
): Promise<Service> => {
  const armed = once(service.process, 'message')
  service.process.send!(type)
  await armed
  const ended = once(service.process, 'exit')
  request().catch(() => undefined)
  t.equal((await ended)[1], 'SIGKILL')
  return startKillable(t, service.dataDir)
}
