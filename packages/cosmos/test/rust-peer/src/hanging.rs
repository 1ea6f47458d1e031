//! Where this process hangs, so that it can be killed there, or be told to go on.

use std::sync::{Arc, Condvar, Mutex};

#[derive(Clone)]
pub struct HangingPoint {
    place: Option<String>,
    released: Arc<(Mutex<bool>, Condvar)>,
}

impl HangingPoint {
    pub fn new(place: Option<String>) -> Self {
        Self {
            place,
            released: Arc::default(),
        }
    }

    /// Says that it hangs, and comes back when the test releases it; at once where the place is another one.
    pub fn pass(&self, place: &str) {
        if self.place.as_deref() != Some(place) {
            return;
        }
        println!("hangs in {place}");
        let (released, changed) = &*self.released;
        tokio::task::block_in_place(|| {
            let guard = released.lock().expect("no holder of this lock panics");
            drop(changed.wait_while(guard, |released| !*released));
        });
    }

    /// From now on nothing hangs any more.
    pub fn release(&self) {
        let (released, changed) = &*self.released;
        *released.lock().expect("no holder of this lock panics") = true;
        changed.notify_all();
    }
}
