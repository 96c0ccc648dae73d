import { parentPort, workerData } from 'node:worker_threads'
import { version } from '../base/version.ts'
import { routes } from '../routes/index.ts'
import type { Audience } from './audience.ts'
import { openApiDocument } from './document.ts'

/** The thread of `buildDocument`. */

parentPort!.postMessage(openApiDocument(routes, version, { audience: workerData as Audience }))
