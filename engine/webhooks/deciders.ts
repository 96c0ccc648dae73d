import { addAll, type Deciders } from '../kernel/decider.ts'
import type { DeliveryCommand } from './commands.ts'
import { cancelDelivery, recordAttempt, replayEvents, resendDelivery, scheduleDeliveries } from './decide.ts'

/** Deciders for deliveries and their attempts. */
export const deliveryDeciders: Deciders<DeliveryCommand> = {
  ScheduleDeliveries: (draft, command) =>
    addAll(
      draft,
      scheduleDeliveries(command, (id) => draft.find('delivery', id), draft.context),
    ),
  RecordAttempt: (draft, command) =>
    addAll(draft, recordAttempt(draft.find('delivery', command.deliveryId), command)),
  CancelDelivery: (draft, command) =>
    addAll(draft, cancelDelivery(draft.find('delivery', command.deliveryId), command)),
  ResendDelivery: (draft, command) =>
    addAll(
      draft,
      resendDelivery(
        draft.find('delivery', command.deliveryId),
        command,
        ({ objectId }) => draft.lookup('delivery', objectId),
        draft.context,
      ),
    ),
  ReplayEvents: (draft, command) =>
    addAll(
      draft,
      replayEvents(command, (objectId) => draft.lookup('delivery', objectId), draft.context),
    ),
}
