import { sharesPorts } from '../../../gateway/http/node.ts'
import { testTransport } from './transport-suite.ts'

testTransport('node', await sharesPorts('127.0.0.1'))
