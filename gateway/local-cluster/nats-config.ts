/** One of several nats-servers on this machine, given by its ports. */
export type NatsPlace = { readonly client: number; readonly route: number; readonly monitor: number }

/**
 * The configuration of one server (https://docs.nats.io/running-a-nats-service/configuration). With `sync_interval: always`, what
 * is acknowledged is on its disk.
 */
export const natsConfig = (options: {
  readonly name: string
  readonly self: NatsPlace
  readonly all: readonly NatsPlace[]
  readonly storeDir: string
}): string => {
  const { name, self, all, storeDir } = options
  const routes = all.map(({ route }) => `nats-route://127.0.0.1:${route}`)
  return `server_name: ${name}
listen: "127.0.0.1:${self.client}"
http: "127.0.0.1:${self.monitor}"
jetstream { store_dir: ${JSON.stringify(storeDir)}, sync_interval: always }
cluster { name: local, listen: "127.0.0.1:${self.route}", routes: [${routes.join(', ')}] }
`
}
