import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { World } from '../world.ts'
import { aConnect, live, openLive } from './live.ts'

/** Everything that an account records about its connections. */
export const everyConnectionFact = async (world: World): Promise<void> => {
  await openLive(world)
  const connect = aConnect()
  await world.execute(connect)
  await world.execute({
    type: 'RecordFeeDifference',
    ...live,
    connectionId: connect.connection.connectionId,
    day: '2026-11-19' as CalendarDate,
    cents: toCents(-7),
    reason: 'extrato do banco',
  })
  await world.execute({
    type: 'ChangeRail',
    ...live,
    connectionId: connect.connection.connectionId,
    state: 'SUSPENDED',
    revision: 2,
  })
}
