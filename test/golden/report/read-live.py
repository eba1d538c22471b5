"""Reads the event files in live with TensorBoard's own readers and writes what it found to live/read.json.

The files are those that test/lab/watch/event-log.test.ts writes: a run that was stopped and resumed.

    python3 -m venv venv && venv/bin/pip install tensorboard && venv/bin/python read-live.py
"""

import json
import pathlib

import tensorboard
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.plugins.hparams import api_pb2, metadata

folder = pathlib.Path(__file__).parent / 'live'
accumulator = EventAccumulator(str(folder)).Reload()
success = [
    {'step': event.step, 'wallTime': event.wall_time, 'value': event.value}
    for event in accumulator.Scalars('train/success')
]
(text,) = accumulator.Tensors('config')[-1].tensor_proto.string_val


def content(tag):
    data = accumulator.SummaryMetadata(tag).plugin_data
    assert data.plugin_name == metadata.PLUGIN_NAME
    return data.content


start = metadata.parse_session_start_info_plugin_data(content(metadata.SESSION_START_INFO_TAG))
end = metadata.parse_session_end_info_plugin_data(content(metadata.SESSION_END_INFO_TAG))
found = {
    'read by': f'tensorboard {tensorboard.__version__}',
    'success': success,
    'config': text.decode(),
    'hparams': {name: getattr(value, value.WhichOneof('kind')) for name, value in start.hparams.items()},
    'status': api_pb2.Status.Name(end.status),
    'tags': sorted(accumulator.Tags()['scalars']),
}
(folder / 'read.json').write_text(json.dumps(found, indent=1, ensure_ascii=False) + '\n')
