"""Makes keras/: two small .keras archives, with what Keras counts in them beside (needs TensorFlow and Keras)."""
import json
import pathlib

import keras

L = keras.layers
FOLDER = pathlib.Path(__file__).parent / 'keras'


@keras.saving.register_keras_serializable('tests')
class Own(keras.Model):
    """A model with a call of its own: its configuration names no layers."""

    def __init__(self, **options):
        super().__init__(**options)
        self.first, self.normed, self.blocks = L.Dense(4), L.BatchNormalization(), [L.Dense(4), L.Dense(3)]

    def call(self, x):
        x = self.normed(self.first(x))
        for block in self.blocks:
            x = block(x)
        return x


def nested():
    images = keras.Input((8, 8, 3), name='images')
    x = L.Conv2D(4, 3, name='conv')(images)
    x = L.BatchNormalization(name='norm')(x)
    x = L.Flatten()(x)
    tower = keras.Sequential([L.Input((144,)), L.Dense(6, name='wide', trainable=False), L.Dense(4, name='narrow')],
                             name='tower')
    return keras.Model(images, L.Dense(2, name='classes')(tower(x)), name='nested')


def main():
    keras.utils.set_random_seed(1)
    own = Own(name='own')
    own(keras.ops.zeros((1, 5)))
    facts = {}
    for name, model in (('nested', nested()), ('own', own)):
        model.save(FOLDER / (name + '.keras'))
        facts[name] = {'params': model.count_params(),
                       'trainable': sum(int(keras.ops.size(w)) for w in model.trainable_weights)}
    (FOLDER / 'facts.json').write_text(json.dumps(facts, indent=1) + '\n')


if __name__ == '__main__':
    main()
