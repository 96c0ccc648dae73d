import t from 'tap'
import {
  callSubject,
  controlOfEveryNode,
  controlSubject,
  directoryStream,
  directorySubject,
  everyHeartbeat,
  heartbeatSubject,
  lostAnswersSubject,
  nodeOf,
  positionSubject,
  shardLogStream,
  shardLogSubject,
} from '../../../persistence/cluster/names.ts'

t.test('names are what permissions on the servers are written for', async (t) => {
  t.equal(shardLogStream('pay-1', 3), 'PAY_LOG_pay-1_03')
  t.equal(shardLogSubject('pay-1', 255), 'pay.cluster.pay-1.log.255')
  t.equal(directoryStream('pay-1'), 'PAY_DIRECTORY_pay-1')
  t.equal(directorySubject('pay-1'), 'pay.cluster.pay-1.directory')
  t.equal(everyHeartbeat('pay-1'), 'pay.cluster.pay-1.hb.*')
  t.equal(positionSubject('pay-1', 0), 'pay.cluster.pay-1.pos.00')
  t.equal(callSubject('pay-1', 'a', 2), 'pay.cluster.pay-1.call.a.2')
  t.equal(lostAnswersSubject('pay-1'), 'pay.cluster.pay-1.call.ALL.LOST')
  t.equal(controlOfEveryNode('pay-1'), 'pay.cluster.pay-1.ctl.ALL')
})

t.test('the node of a subject is found again', async (t) => {
  for (const subject of [
    heartbeatSubject('c', 'node-7'),
    callSubject('c', 'node-7', 1),
    controlSubject('c', 'node-7'),
  ])
    t.equal(nodeOf('c', subject), 'node-7')
})
