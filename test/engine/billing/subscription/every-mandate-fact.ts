import type { Plan } from '../../../../engine/billing/catalog/plan.ts'
import type { MandateAnswer, MandateRequest } from '../../../../engine/billing/mandate/mandate-request.ts'
import type { Subscription } from '../../../../engine/billing/subscription/subscription.ts'
import type { MandateId, SubscriptionId } from '../../../../engine/shared/ids.ts'
import { askSandboxAny, type World } from '../../world.ts'
import { aPlan, stateOf } from '../catalog.ts'
import { aDecision, anOutcome, automatic } from './mandated.ts'
import { anEnd, aSubscription, pays, subscriptionOf } from './subscribing.ts'

/** A bank that hesitates to take charges, and calls none off. */
export const hesitantBank = (): ((request: MandateRequest) => Promise<MandateAnswer>) => {
  let scheduled = 0
  return async (request) => {
    if (request.operation === 'SCHEDULE') {
      scheduled += 1
      if (scheduled !== 2) return { type: 'SILENT' }
    }
    if (request.operation === 'UNSCHEDULE') return { type: 'REFUSED', code: null }
    return (await askSandboxAny(request)) as MandateAnswer
  }
}

/** The life of a subscription by mandate in which every fact of mandates occurs, with that bank. */
export const everyMandateFact = async (world: World): Promise<void> => {
  const plan = stateOf<Plan>(await world.execute(aPlan({ interval: 'WEEK', methods: ['PIX'] })))
  const { id } = stateOf<Subscription>(await world.execute(aSubscription(plan.id, automatic)))
  await pays(world, id)
  const mandateId = mandateIdOf(world, id)
  await world.execute(aDecision(mandateId))
  const hasLive = (): boolean =>
    world.memory.find('mandate', mandateId)!.state.charges.some(({ attempts }) => attempts.length > 0)
  while (!hasLive()) await world.advance('PT6H')
  await world.execute(anOutcome(mandateId, 'REJECTED', 'AM04'))
  await pays(world, id)
  // The next one is never taken: it is closed two days before, and a code replaces it.
  await world.advance('P12D')
  await world.execute(anEnd(id))
}

const mandateIdOf = (world: World, id: SubscriptionId): MandateId => subscriptionOf(world, id).mandate!.id
