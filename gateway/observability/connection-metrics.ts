import { Gauge, type Registry } from 'prom-client'

/** A connection to a bank or acquirer, as metrics show it. */
export type ShownConnection = {
  readonly connection: string
  readonly provider: string
  /** Null until it was asked. */
  readonly works: boolean | null
  readonly isActive: boolean
  /** Null where it has no certificate, or none is known. */
  readonly certificateDays: number | null
}

/** Registers the metrics of connections, which are read when the metrics are. */
export const connectionMetrics = (registers: Registry[], shown: () => readonly ShownConnection[]): void => {
  const gauge = (name: string, help: string, sampleOf: (one: ShownConnection) => number | null): void =>
    void new Gauge({
      name,
      help,
      labelNames: ['connection', 'provider'],
      registers,
      collect() {
        this.reset()
        for (const one of shown()) {
          const value = sampleOf(one)
          if (value !== null) this.set({ connection: one.connection, provider: one.provider }, value)
        }
      },
    })
  gauge(
    'payments_provider_connection_works',
    'Whether a connection answered when it was last asked.',
    ({ works }) => (works === null ? null : Number(works)),
  )
  gauge('payments_provider_connection_active', 'Whether new charges go by a connection.', ({ isActive }) =>
    Number(isActive),
  )
  gauge(
    'payments_provider_certificate_days',
    'Days until the certificate of a connection ends; negative once it has.',
    ({ certificateDays }) => certificateDays,
  )
}
