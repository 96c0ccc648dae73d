import type { AttemptOutcome, Delivery, StatusClass } from './delivery.ts'
import type { DeliveryFilter } from './queries.ts'

/** The label that lists filter deliveries by: endpoint, status, event type, and outcome of the last attempt. */
export const labelOfDelivery = ({ endpointId, status, eventType, attempts }: Delivery): string =>
  `${endpointId} ${status} ${eventType} ${outcomeOf(attempts.at(-1))}`

const outcomeOf = (attempt: AttemptOutcome | undefined): string =>
  attempt === undefined ? '- -' : `${classOf(attempt) ?? '-'} ${attempt.error ?? '-'}`

const classOf = ({ statusCode }: AttemptOutcome): StatusClass | null =>
  statusCode === null ? null : (`${Math.floor(statusCode / 100)}xx` as StatusClass)

/** Tests labels against a filter. */
export const labelFits = (filter: DeliveryFilter): ((label: string) => boolean) => {
  const statuses = new Set<string>(filter.statuses)
  const types = new Set<string>(filter.eventTypes)
  const classes = new Set<string>(filter.statusClasses)
  const errors = new Set<string>(filter.errors)
  return (label) => {
    const [endpointId, status, type, statusClass, error] = label.split(' ') as [string, ...string[]]
    return (
      (filter.endpointId === null || filter.endpointId === endpointId) &&
      isIn(statuses, status!) &&
      isIn(types, type!) &&
      isIn(classes, statusClass!) &&
      isIn(errors, error!)
    )
  }
}

/** An empty set names all. */
const isIn = (set: ReadonlySet<string>, value: string): boolean => set.size === 0 || set.has(value)
